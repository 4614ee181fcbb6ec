import { randomBytes, randomUUID } from "node:crypto";
import { getAddress } from "viem";
import type { BodyInput } from "#contract/calls.ts";
import type { CoinOrder, Order, OrderEventKind } from "#contract/order.ts";
import type { PairData } from "#contract/rate.ts";
import type { Api } from "../http/api.ts";
import type { DevnetRpc } from "../chains/devnet-rpc.ts";
import { eventually } from "../eventually.ts";

export const HALF_ETH = 5n * 10n ** 17n;

/** The body and key of a creation, for sending it again. */
export type Application = {
  body: BodyInput<"createOrder">;
  headers: { "idempotency-key": string; "x-forwarded-for"?: string };
};

export const randomAddress = (): string => getAddress(`0x${randomBytes(20).toString("hex")}`);

type Asked = { from?: string; to?: string; amount?: string; rateMode?: "FIXED" | "FLOATING" };

/** Half an ETH to USDT, unless asked otherwise; `from` and `to` are slugs. */
export const rateOf = (
  api: Api,
  { from = "eth", to = "usdt-erc20", amount = "0.5", rateMode = "FLOATING" }: Asked = {},
): Promise<PairData> =>
  api.call("rate", {
    query: {
      instrumentFromSlug: from,
      instrumentToSlug: to,
      claimedDepositAmount: amount,
      rateMode,
    },
  });

/** A body that claims exactly the given rate. */
export function bodyOf(rate: PairData): BodyInput<"createOrder"> {
  const { instrumentFrom, instrumentTo, rateMode } = rate;
  return {
    rateMode,
    instrumentFrom: refOf(instrumentFrom),
    instrumentTo: refOf(instrumentTo),
    destinationAddress: randomAddress(),
    ...(rateMode === "FIXED" && { refundAddress: randomAddress() }),
    claimedDepositAmount: rate.amountToGive,
    claimedPublicRate: {
      price: rate.price,
      updatedAt: rate.updatedAt,
      finalNetworkFeeAmount: rate.finalNetworkFeeAmount,
      platformFee_Absolute: rate.platformFee_Absolute,
      claimedAmountToReceive: rate.amountToGet,
    },
  };
}

const refOf = ({ currencyTitle, networkTitle, slug }: PairData["instrumentFrom"]) => ({
  currencyTitle,
  networkTitle,
  slug,
});

/** As the app sends it: a browser that changes its network keeps its key. */
export async function applicationFor(api: Api, asked?: Asked): Promise<Application> {
  const body = { ...bodyOf(await rateOf(api, asked)), browserFingerprint: randomUUID() };
  return { body, headers: { "idempotency-key": randomUUID() } };
}

export const readOrder = (
  api: Api,
  { orderId, destinationAddress }: Pick<Order, "orderId" | "destinationAddress">,
): Promise<CoinOrder> => api.call("orderInfo", { query: { orderId, destinationAddress } });

/** Asks for the deposit back with the figures that are quoted, which are compared and never paid. */
export async function askForRefund(api: Api, order: Order, refundAddress: string): Promise<void> {
  const { orderId, destinationAddress } = order;
  const quoted = await api.call("refundInfo", { query: { orderId } });
  await api.call("requestRefund", {
    body: {
      orderId,
      destinationAddress,
      refundAddress,
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    },
  });
}

/** Waits until the order has had the event; returns the order. `meanwhile` runs between two polls. */
export const orderAfter = (
  api: Api,
  order: Order,
  kind: OrderEventKind,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<CoinOrder> =>
  eventually(`${kind} of ${order.orderId}`, async () => {
    const now = await readOrder(api, order);
    if (now.orderEvents.some((event) => event.kind === kind)) return now;
    await meanwhile();
    return null;
  });

/** Mines until the order's payout is confirmed; returns the order. */
export const finish = (api: Api, devnet: DevnetRpc, order: Order): Promise<CoinOrder> =>
  orderAfter(api, order, "WITHDRAWAL_COMPLETED", () => devnet.mine(1));
