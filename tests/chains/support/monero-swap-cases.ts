import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CoinOrder, OrderEventKind } from "#contract/order.ts";
import { formatAmount, parseAmount } from "#contract/money.ts";
import type { SandboxNetworkCommand } from "#contract/sandbox.ts";
import shipped from "../../../server/catalogue/catalogue.json" with { type: "json" };
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { readTip } from "../../../server/chains/follower/index.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { Api } from "../../support/http/api.ts";
import { violations } from "../../support/checkers/checkers.ts";
import { DevnetRpc } from "../../support/chains/devnet-rpc.ts";
import { eventually } from "../../support/eventually.ts";
import { bodyOf, HALF_ETH, randomAddress, readOrder } from "../../support/scenarios/http-swap.ts";
import { ServerProcess } from "../../support/processes/server-process.ts";
import { XMR, type MoneroSetup } from "./monero.ts";

const XMR_CONFIRMATIONS = 50;
const ETH_CONFIRMATIONS = 3;
const LIFE_LIMIT_MS = 900_000;
/** Each block takes a call to the node and several to its wallet: on a busy machine the first 64 take a minute. */
const EVENT_LIMIT_MS = 240_000;
const SENT = 2n * XMR;

/** The catalogue that ships without the networks that these swaps have nothing to do with: a server that simulates them all is slow. */
function catalogueOfTwo(): string {
  const instruments = shipped.instruments.filter(({ networkTitle }) => ["ETH", "XMR"].includes(networkTitle));
  return JSON.stringify({ ...shipped, instruments, terms: { ...shipped.terms, earningsSlug: "usdt-erc20" } });
}

type Asked = {
  from: string;
  to: string;
  amount: string;
  rateMode?: "FIXED" | "FLOATING";
  destinationAddress: string;
  refundAddress?: string;
};

/** Swaps each way and a refund over the real server, killed in the middle of each, beside a real Ethereum node. */
export function swapCases(currentSetup: () => MoneroSetup): void {
  describe("swaps over the server", () => {
    let setup: MoneroSetup;
    let server: ServerProcess;
    let api: Api;
    let ethereum: DevnetRpc;

    const control = (command: SandboxNetworkCommand) =>
      api.call("sandboxNetwork", { params: { networkTitle: "XMR" }, body: command });
    const withDatabase = async <Result>(ask: (database: Database) => Promise<Result>): Promise<Result> => {
      const log = createLog({ level: "silent" });
      const database = openDatabase(await server.databaseUrl(), { max: 1, log, applicationName: "test" });
      try {
        return await ask(database);
      } finally {
        await database.close();
      }
    };
    const mineOne = async () => void (await control({ mine: 1 }));
    /** Nothing is signed over blocks that were not read: mined as fast as they are asked for, they are ahead of the server for ever. */
    const mineWhenRead = async () => {
      const read = await withDatabase((database) => readTip(database.kysely, "XMR"));
      if (read !== null && read >= (await setup.devnet.height())) await mineOne();
    };
    const killAndRestart = async (meanwhile: () => Promise<void> = async () => undefined) => {
      await server.kill9();
      await meanwhile();
      await server.restart();
    };
    const after = (order: CoinOrder, kind: OrderEventKind, meanwhile: () => Promise<void> = async () => undefined) =>
      eventually(
        `${kind} of ${order.pair.instrumentFrom.slug}-${order.pair.instrumentTo.slug}`,
        async () => {
          const now = await readOrder(api, order);
          if (now.orderEvents.some((event) => event.kind === kind)) return now;
          await meanwhile();
          return null;
        },
        EVENT_LIMIT_MS,
      );
    const create = async ({ from, to, amount, rateMode = "FLOATING", ...addresses }: Asked): Promise<CoinOrder> => {
      const query = { instrumentFromSlug: from, instrumentToSlug: to, claimedDepositAmount: amount, rateMode };
      const body = { ...bodyOf(await api.call("rate", { query })), ...addresses };
      return api.call("createOrder", { body, headers: { "idempotency-key": randomUUID() } });
    };
    const requestRefund = async (order: CoinOrder): Promise<void> => {
      const { orderId, destinationAddress, refundAddress } = order;
      const quoted = await api.call("refundInfo", { query: { orderId } });
      const { refundAmountWithoutNetworkFee: refundAmount, networkFee: claimedNetworkFee } = quoted;
      const body = { orderId, destinationAddress, refundAddress: refundAddress ?? "", refundAmount, claimedNetworkFee };
      await api.call("requestRefund", { body });
    };
    /** The order's withdrawal, once its network shows it. */
    const sent = (order: CoinOrder) => order.withdrawals.map(({ amount, txId }) => ({ amount, txId }));
    const receivedXmr = async (address: string) =>
      (await setup.received(address)).map(({ amount, txId }) => ({ amount: formatAmount(amount, 12), txId }));

    beforeAll(async () => {
      setup = currentSetup();
      const catalogue = join(setup.folder, "catalogue.json");
      await writeFile(catalogue, catalogueOfTwo());
      server = await ServerProcess.start({ ...setup.nodes.env, CATALOGUE_FILE: catalogue });
      api = new Api(server.url);
      ethereum = new DevnetRpc(server.rpcUrl);
    }, LIFE_LIMIT_MS);
    afterAll(() => server?.end());

    it(
      "pay and refund exactly once, with the server killed in the middle of each",
      async () => {
        const give = formatAmount(SENT, 12);
        const [home, refundAddress] = [await setup.newAddress(), await setup.newAddress()];
        const out = await create({ from: "xmr", to: "usdt-erc20", amount: give, destinationAddress: randomAddress() });
        const back = await create({
          from: "xmr",
          to: "eth",
          amount: give,
          rateMode: "FIXED",
          destinationAddress: randomAddress(),
          refundAddress,
        });
        const into = await create({ from: "eth", to: "xmr", amount: "0.5", destinationAddress: home });
        expect(new Set([out.depositAddress, back.depositAddress]).size).toBe(2);
        expect(out.depositUri).toBe(`monero:${out.depositAddress}?tx_amount=${give}`);

        await api.call("sandboxPay", { body: { orderId: out.orderId } });
        await setup.payAll([{ address: back.depositAddress, amount: SENT }]);
        await mineOne();
        for (const order of [out, back]) await after(order, "INCOMING_FUNDS_DETECTED");
        await control({ reorg: 1 });
        await killAndRestart(() => setup.devnet.mine(20));
        await eventually("the deposit is found again after the reorganisation", async () => {
          const { deposits } = await readOrder(api, back);
          return deposits.length > 0 || null;
        });
        await requestRefund(back);
        // After the reorganisation: a payment that waited through one may be left out by monerod until its pool forgets it.
        await ethereum.pay(into.depositAddress, HALF_ETH);

        await after(into, "FUNDS_WITHDRAWAL_START");
        await killAndRestart();
        const gotXmr = await after(into, "WITHDRAWAL_COMPLETED", mineWhenRead);
        expect(gotXmr.withdrawals).toMatchObject([{ kind: "payout", amount: gotXmr.amountToGet }]);
        expect(await receivedXmr(home)).toEqual(sent(gotXmr));

        const [deposit] = (await readOrder(api, out)).deposits;
        expect(deposit?.requiredConfirmations).toBe(XMR_CONFIRMATIONS);
        await control({ mine: Math.max(1, XMR_CONFIRMATIONS - (deposit?.confirmations ?? 0)) });
        await after(out, "FUNDS_WITHDRAWAL_START");
        await killAndRestart();
        const gotUsdt = await after(out, "WITHDRAWAL_COMPLETED");
        const token = out.pair.instrumentTo.contractAddress ?? "";
        const arrived = await ethereum.tokenTransfers(token, out.destinationAddress);
        expect(arrived.map(({ amount, txId }) => ({ amount: formatAmount(amount, 6), txId }))).toEqual(sent(gotUsdt));

        const gotBack = await after(back, "REFUND_COMPLETED", mineWhenRead);
        expect(gotBack.withdrawals).toMatchObject([{ kind: "refund" }]);
        expect(await receivedXmr(refundAddress)).toEqual(sent(gotBack));
        expect(parseAmount(gotBack.withdrawals[0]?.amount ?? "0", 12)).toBeLessThan(SENT);
        expect(await lawsBroken([gotXmr, gotUsdt, gotBack], refundAddress)).toEqual([]);
      },
      LIFE_LIMIT_MS,
    );

    async function lawsBroken(orders: CoinOrder[], refundAddress: string): Promise<string[]> {
      const delivered = async (orderId: string): Promise<bigint[]> => {
        const order = orders.find((known) => known.orderId === orderId);
        if (order === undefined) return [];
        const { pair, destinationAddress } = order;
        const kind = order.withdrawals[0]?.kind;
        const address = kind === "refund" ? refundAddress : destinationAddress;
        const isXmr = kind === "refund" || pair.instrumentTo.slug === "xmr";
        const found = isXmr
          ? await setup.received(address)
          : await ethereum.tokenTransfers(pair.instrumentTo.contractAddress ?? "", address);
        return found.map(({ amount }) => amount);
      };
      const isDeep = async (txId: string, _confirmations: number, network: string): Promise<boolean> => {
        if (network === "ETH") return (await ethereum.confirmations(txId)) >= ETH_CONFIRMATIONS;
        const found = await setup.wallet().lookup(txId);
        const height = await setup.devnet.height();
        return found.kind === "mined" && height - found.height + 1 >= XMR_CONFIRMATIONS;
      };
      return withDatabase((database) => violations(database, { delivered, isDeep }, ETH_CONFIRMATIONS));
    }
  });
}
