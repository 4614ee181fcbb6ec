import { randomBytes } from "node:crypto";
import { concatHex, numberToHex, type Hex } from "viem";
import * as z from "zod";
import type { Order } from "#contract/order.ts";
import { encodeTransfer, TRANSFER_TOPIC } from "../../../server/chains/evm/erc20.ts";
import { openSimulatedChain } from "../../../server/chains/simulated/network.ts";
import { openDatabase } from "../../../server/db/database.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import type { Api } from "../../support/http/api.ts";
import type { DevnetRpc } from "../../support/chains/devnet-rpc.ts";
import { eventually } from "../../support/eventually.ts";
import {
  applicationFor,
  askForRefund,
  orderAfter,
  randomAddress,
  readOrder,
} from "../../support/scenarios/http-swap.ts";
import type { OwnServer } from "./own-server.ts";

type Review = NonNullable<Order["review"]>;
export type Reason = Review["reason"];
export type Place = { readonly api: Api; readonly chain: DevnetRpc; readonly server: OwnServer };
type Maker = (place: Place) => Promise<Order>;

const OWNER = { userEmail: "ann@mail.example" };
const BTC_ADDRESS = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
const TRX_ADDRESS = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const CREDITED_LTC = 8;
/** In percent of the usual: more than a small deposit is worth. */
const HIGH_FEES = 20_000;
/** Takes nothing. */
const REVERTS: Hex = "0x60006000fd";

type Asked = Parameters<typeof applicationFor>[1] & { readonly destination?: string; readonly userEmail?: string };

async function create(api: Api, { destination, userEmail, ...asked }: Asked = {}): Promise<Order> {
  const { body, headers } = await applicationFor(api, asked);
  const given = {
    ...(destination !== undefined && { destinationAddress: destination }),
    ...(userEmail && { userEmail }),
  };
  return api.call("createOrder", { body: { ...body, ...given }, headers });
}

const pay = (api: Api, { orderId }: Order, amount?: string) =>
  api.call("sandboxPay", { body: { orderId, ...(amount !== undefined && { amount }) } });

const onNetwork = (
  api: Api,
  networkTitle: string,
  body: { mine: number } | { paused: boolean } | { reorg: number } | { fees: number },
) => api.call("sandboxNetwork", { params: { networkTitle }, body });

/** Waits until the order is held, for whatever reason. */
const untilHeld = (api: Api, order: Order): Promise<Order> =>
  eventually(`${order.orderId} is held`, async () => {
    const now = await readOrder(api, order);
    return now.review === null ? null : now;
  });

/** An order that can only be refunded, whose owner has an email. */
async function delayedRefund({ api }: Place): Promise<Order> {
  const order = await create(api, OWNER);
  await pay(api, order, "0.001");
  await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
  await askForRefund(api, order, randomAddress());
  return order;
}

async function stopByMail({ api }: Place, { orderId }: Order): Promise<void> {
  const token = await eventually("the mail about the refund", async () => {
    const mails = JSON.stringify(await api.call("sandboxMail", {}));
    return new RegExp(`orderId=${orderId}&token=([\\w-]+)`).exec(mails)?.[1] ?? null;
  });
  await api.call("stopRefund", { body: { orderId, token } });
}

/**
 * A token whose transfers move nothing and say that they did; every other call is passed on to the token's own code, so that nobody else
 * sees a difference.
 */
const lyingCode = (own: Hex): Hex =>
  concatHex([
    // Of `transfer` to the lie at 0x3d, else a delegatecall to the token's own code.
    "0x60003560e01c63a9059cbb14603d57",
    "0x3660006000376000600036600073",
    own,
    "0x5af4503d6000803e3d6000f3",
    // The event with the amount and both addresses, and `true`.
    "0x5b602435600052600435337f",
    TRANSFER_TOPIC,
    "0x60206000a3600160005260206000f3",
  ]);

/** Sends a transfer of a token that says more than it moves. */
async function payByLie({ api, chain }: Place, order: Order): Promise<void> {
  const { contractAddress } = order.pair.instrumentFrom;
  const own: Hex = `0x${randomBytes(20).toString("hex")}`;
  const hex = z.string() as z.ZodType<Hex>;
  const code = await chain.call("eth_getCode", [contractAddress, "latest"], hex);
  await chain.call("anvil_setCode", [own, code], z.unknown());
  await chain.call("anvil_setCode", [contractAddress, lyingCode(own)], z.unknown());
  const from = (await chain.call("eth_accounts", [], z.array(hex)))[8];
  const data = encodeTransfer(order.depositAddress as Hex, 900n * 10n ** 18n);
  await chain.call("eth_sendTransaction", [{ from, to: contractAddress, data, gas: numberToHex(200_000) }], hex);
  await chain.mine(1);
  await untilHeld(api, order);
  await chain.call("anvil_setCode", [contractAddress, code], z.unknown());
}

/** Takes an unmined transaction out of a simulated network, as a mempool may. */
async function evict(server: OwnServer, networkTitle: string, txId: string): Promise<void> {
  const database = openDatabase(await server.databaseUrl(), {
    max: 1,
    log: createLog({ level: "silent" }),
    applicationName: "test",
  });
  try {
    const chain = await openSimulatedChain({ database, networkTitle, instruments: [], initialBalances: new Map() });
    if (!(await chain.controls.evict(txId))) throw new Error(`${txId} is mined`);
  } finally {
    await database.close();
  }
}

/** An order held for each reason that the contract names, by what would hold it in life. */
const MAKERS: Readonly<Record<Reason, Maker>> = {
  WRONG_ASSET: async ({ api, chain }) => {
    const order = await create(api, { from: "usdt-erc20", to: "eth", amount: "900" });
    await chain.pay(order.depositAddress ?? "", 10n ** 16n);
    return order;
  },
  DEPOSIT_UNDONE: async ({ api }) => {
    const order = await create(api, { from: "ltc", amount: "20" });
    await pay(api, order);
    await onNetwork(api, "LTC", { mine: CREDITED_LTC });
    await orderAfter(api, order, "WITHDRAWAL_COMPLETED");
    await onNetwork(api, "LTC", { paused: true });
    await onNetwork(api, "LTC", { reorg: 4 * CREDITED_LTC });
    return order;
  },
  LATE_DEPOSIT: async ({ api }) => {
    const order = await create(api);
    await pay(api, order);
    await orderAfter(api, order, "WITHDRAWAL_COMPLETED");
    await pay(api, order, "0.1");
    return order;
  },
  DEPOSIT_CHECK: async (place) => {
    const order = await create(place.api, { from: "dai-erc20", to: "eth", amount: "900" });
    await payByLie(place, order);
    return order;
  },
  PAYMENT_CHECK: async ({ api, chain }) => {
    const order = await create(api, { from: "usdt-erc20", to: "eth", amount: "900" });
    await chain.call("anvil_setCode", [order.destinationAddress, REVERTS], z.unknown());
    await pay(api, order);
    return order;
  },
  PAYMENTS_STOPPED: async ({ api, server }) => {
    const order = await create(api, { to: "usdc-erc20" });
    server.admin("stop", "pay", "usdc-erc20", "to", "a", "test", "--as", "ann");
    await pay(api, order);
    return order;
  },
  NO_PROVIDER: async ({ api }) => {
    const order = await create(api, { to: "trx", destination: TRX_ADDRESS });
    // More than the partner takes.
    await pay(api, order, "5");
    return order;
  },
  REFUND_TOO_SMALL: async ({ api, server }) => {
    await onNetwork(api, "BTC", { paused: true });
    await onNetwork(api, "BTC", { fees: HIGH_FEES });
    const order = await create(api, { from: "btc", amount: "0.02" });
    await pay(api, order, "0.0005");
    const { txId } = await pay(api, order, "0.02");
    // The quote counts a deposit that was seen; a refund is refused until the order has it too.
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await eventually("the refund's fee is high", async () => {
      const { networkFee, refundAmountWithoutNetworkFee: rest } = await api.call("refundInfo", {
        query: { orderId: order.orderId },
      });
      return Number(networkFee) > 0.0006 && Number(rest) > 0 ? true : null;
    });
    await askForRefund(api, order, BTC_ADDRESS);
    await evict(server, "BTC", txId);
    await onNetwork(api, "BTC", { fees: 100 });
    await onNetwork(api, "BTC", { mine: 4 });
    return order;
  },
  REFUND_DELAYED: delayedRefund,
  REFUND_STOPPED: async (place) => {
    const order = await delayedRefund(place);
    await stopByMail(place, order);
    return order;
  },
};

/** Makes an order for each reason, all at once. */
export async function makeHeldOrders(place: Place): Promise<Readonly<Record<Reason, Order>>> {
  const made = Object.entries(MAKERS).map(
    async ([reason, make]) => [reason, await untilHeld(place.api, await make(place))] as const,
  );
  return Object.fromEntries(await Promise.all(made)) as Record<Reason, Order>;
}
