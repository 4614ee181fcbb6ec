import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createMoneroRpc } from "../../../server/chains/monero/rpc.ts";
import { runHeldCommand } from "../../../server/treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../../../server/treasury/operator/recovery-commands.ts";
import { freshDatabase, type TestDatabase } from "../../support/database/database.ts";
import { eventually } from "../../support/eventually.ts";
import type { Handle } from "../../../server/chains/port.ts";
import { XMR, type MoneroSetup } from "./monero.ts";
import { startRpcProxy, type RpcProxy } from "./rpc-proxy.ts";
import { StuckSwap, type StuckNetwork } from "./stuck-swap.ts";

const dataSchema = z.record(z.string(), z.unknown());
const handleOf = (rows: readonly { key: string; data: unknown }[]) => ({
  keys: rows.map(({ key }) => key),
  data: dataSchema.parse(rows.find(({ data }) => Object.keys(dataSchema.parse(data)).length > 0)?.data),
});

/** Payments that pools have dropped, through the whole engine. */
export function stuckCases(currentSetup: () => MoneroSetup): void {
  describe("a payment of Monero that the pool has dropped, and whose bytes the node refuses", () => {
    let setup: MoneroSetup;
    let daemon: RpcProxy;
    let database: TestDatabase;
    let swap: StuckSwap;

    const network = (): StuckNetwork => ({
      instrument: { currencyTitle: "XMR", networkTitle: "XMR", slug: "xmr" },
      fee: 10n ** 10n,
      reader: () => setup.reader({ daemonUrl: daemon.rpcUrl }),
      wallet: async () => {
        const wallet = setup.wallet({ daemonUrl: daemon.rpcUrl });
        // It knows its address after the first balance.
        await wallet.hotBalance("xmr");
        return wallet;
      },
      mine: () => setup.devnet.mine(1),
      height: () => setup.devnet.height(),
      newAddress: () => setup.newAddress(),
      received: async (address) => (await setup.received(address)).map(({ amount }) => amount),
    });
    const flush = async (txIds: readonly string[]) => {
      const rpc = createMoneroRpc(setup.nodes.env.XMR_DAEMON_URL, 60_000);
      await rpc.call("flush_txpool", { txids: txIds }, z.unknown());
    };
    /** The node refuses the bytes of these, as it does those whose fee or ring is too old for it. */
    const refuse = (attempts: readonly { raw: string }[]) =>
      daemon.misbehave((call) =>
        call.method === "/send_raw_transaction" &&
        attempts.some(({ raw }) => raw.includes(String(Reflect.get(call, "tx_as_hex"))))
          ? { kind: "answer", body: { status: "Failed", reason: "fee too low", fee_too_low: true } }
          : { kind: "pass" },
      );
    const statuses = async () => (await swap.attempts()).map(({ status }) => status);
    const isMined = async (txId: string) => (await setup.wallet().lookup(txId)).kind === "mined";
    /** The node may leave a payment that has just come out of its next block. */
    const mineInto = (txId: string) =>
      eventually("a block takes the payment", async () => {
        await swap.blocks(1);
        return (await isMined(txId)) ? true : null;
      });
    const signedAnew = async () => {
      const [old] = await swap.attempts();
      if (old === undefined) throw new Error("nothing was sent");
      await flush([old.txId]);
      refuse([old]);
      await swap.turn();
      await swap.waitInVain();
      const [, replacement] = await swap.attempts();
      if (replacement === undefined) throw new Error("it was not signed anew");
      return { old, replacement };
    };

    beforeAll(async () => {
      setup = currentSetup();
      daemon = await startRpcProxy(setup.nodes.env.XMR_DAEMON_URL);
    });
    beforeEach(async () => {
      database = await freshDatabase();
      swap = new StuckSwap(network(), database);
      await swap.begin({ blocks: 0 });
    });
    afterEach(async () => {
      daemon.behave();
      await database.drop();
    });
    afterAll(() => daemon?.stop());

    it("is signed anew, and arrives once", async () => {
      const { old, replacement } = await signedAnew();
      await mineInto(replacement.txId);
      await swap.blocks(2);
      expect(await statuses()).toEqual(["dead", "mined"]);
      expect(await swap.shownTxId()).toBe(replacement.txId);
      expect(await swap.fees()).toEqual([{ kind: "network_fee", amount: replacement.maxCost }]);
      expect(await isMined(old.txId)).toBe(false);
      expect(await swap.violations()).toEqual([]);
    });

    it("is held once the same wallet, run elsewhere, has spent its outputs, and can be paid again by a command", async () => {
      const [old] = await swap.attempts();
      if (old === undefined) throw new Error("nothing was sent");
      const reserved = await database.kysely.selectFrom("payout_handles").select(["key", "data"]).execute();
      const wallet = setup.wallet();
      const elsewhere = { slug: "xmr", toAddress: await setup.newAddress(), toMemo: null, amount: 10n ** 11n };
      await wallet.hotBalance("xmr");
      const rival = await wallet.prepare(elsewhere, handleOf(reserved));
      await flush([old.txId]);
      refuse([old]);
      expect(await wallet.broadcast(rival)).toEqual({ kind: "accepted" });
      await mineInto(rival.txId);
      await swap.blocks(4);
      expect(await swap.payout()).toMatchObject({ state: "review" });
      expect(await statuses()).toEqual(["dead"]);
      await runHeldCommand(
        { database, catalogue: swap.catalogue, isRegtest: true },
        `payout retry ${(await swap.payout()).id} it is owed --as ann`.split(" "),
      );
      await swap.blocks(1);
      // What that transaction was is not known yet: nothing is signed.
      expect(await statuses()).toEqual(["dead"]);
      const dismissed = `unknown-payment dismiss XMR ${rival.txId} made elsewhere --as ann`.split(" ");
      // Monero hides whom it paid: it may have been this payment.
      await expect(runRecoveryCommand(database, swap.catalogue, dismissed)).rejects.toThrow("--pays-again");
      await runRecoveryCommand(database, swap.catalogue, [...dismissed, "--pays-again"]);
      await swap.turn();
      const paid = (await swap.attempts()).at(-1);
      await mineInto(paid?.txId ?? "");
      await swap.blocks(3);
      expect(await statuses()).toEqual(["dead", "mined"]);
      expect(await swap.payout()).toMatchObject({ state: "final" });
    });

    it("is booked by the old bytes where a block takes those after all, also after a reorganisation", async () => {
      const { old, replacement } = await signedAnew();
      await mineInto(replacement.txId);
      expect(await swap.shownTxId()).toBe(replacement.txId);
      await createMoneroRpc(setup.nodes.env.XMR_DAEMON_URL, 60_000).post("/pop_blocks", { nblocks: 1 }, z.unknown());
      await flush([replacement.txId]);
      daemon.behave();
      expect(await setup.wallet().broadcast(old)).toEqual({ kind: "accepted" });
      await mineInto(old.txId);
      await swap.blocks(3);
      expect(await statuses()).toEqual(["mined", "dead"]);
      expect(await swap.shownTxId()).toBe(old.txId);
      expect(await swap.violations()).toEqual([]);
    });
  });

  describe("payments of Monero that were signed and are not known any more", () => {
    it("are refused once every output was moved to ourselves", async () => {
      const setup = currentSetup();
      const wallet = setup.wallet();
      await wallet.hotBalance("xmr");
      const sign = async (toAddress: string, amount: bigint, handle: Handle) =>
        wallet.prepare({ slug: "xmr", toAddress, toMemo: null, amount }, handle);
      const customer = await setup.newAddress();
      const asked = { slug: "xmr", toAddress: customer, toMemo: null, amount: XMR };
      const isMined = (txId: string) =>
        eventually("a block takes it", async () => {
          await setup.devnet.mine(1);
          const found = await wallet.lookup(txId);
          return found.kind === "mined" ? found : null;
        });
      const paid = await sign(customer, XMR, await wallet.chooseHandle(asked, []));
      await wallet.broadcast(paid);
      await isMined(paid.txId);
      const old = await sign(customer, XMR, await wallet.chooseHandle(asked, []));
      let first: number | null = null;
      const moves: string[] = [];
      for (;;) {
        const chosen = await wallet.chooseConsolidation?.([], first, 0);
        if (chosen === undefined || chosen === null) break;
        const move = await sign(wallet.hotAddress(), chosen.amount, chosen.handle);
        expect(await wallet.broadcast(move)).toEqual({ kind: "accepted" });
        const mined = await isMined(move.txId);
        first ??= mined.height;
        moves.push(move.txId);
      }
      expect(first).not.toBeNull();
      const sent = (await wallet.recentPayments?.(0)) ?? [];
      const plain = sent.flatMap(({ txId, isToOurselves = false }) => (isToOurselves ? [txId] : []));
      expect(plain).toEqual(expect.arrayContaining(moves));
      expect(sent.map(({ txId }) => txId)).toContain(paid.txId);
      expect(plain).not.toContain(paid.txId);
      expect(await wallet.broadcast(old)).toMatchObject({
        kind: "unknown",
        reason: expect.stringContaining("double spend"),
      });
      expect(await wallet.lookup(old.txId)).toEqual({ kind: "absent" });
    });
  });

  describe("payments of Monero over outputs that each are worth less than the room for a fee, signed and not known any more", () => {
    it("are refused once every output was moved to ourselves", async () => {
      const setup = currentSetup();
      const wallet = setup.wallet();
      await wallet.hotBalance("xmr");
      // What was received or moved just now is locked for ten blocks.
      await setup.devnet.mine(20);
      const asked = { slug: "xmr", toAddress: await setup.newAddress(), toMemo: null, amount: 1n };
      const roomForOne = wallet.maxCost(await wallet.chooseHandle(asked, []));
      const large: Handle[] = [];
      for (;;) {
        const chosen = await wallet.chooseConsolidation?.(large, null, 0);
        if (chosen === undefined || chosen === null) break;
        large.push(chosen.handle);
      }
      for (let paid = 0; paid < 4; paid += 1)
        await setup.devnet.pay({ address: wallet.hotAddress(), amount: 2n * roomForOne });
      await setup.devnet.mine(20);
      // Three of them pay it and its fee.
      const payment = { ...asked, amount: 3n * roomForOne };
      const handle = await wallet.chooseHandle(payment, large);
      expect(handle.keys).toHaveLength(3);
      const old = await wallet.prepare(payment, handle);
      let first: number | null = null;
      for (;;) {
        const chosen = await wallet.chooseConsolidation?.([], first, 0);
        if (chosen === undefined || chosen === null) break;
        const toOurselves = { ...asked, toAddress: wallet.hotAddress(), amount: chosen.amount };
        const move = await wallet.prepare(toOurselves, chosen.handle);
        expect(await wallet.broadcast(move)).toEqual({ kind: "accepted" });
        first ??= await eventually("a block takes it", async () => {
          await setup.devnet.mine(1);
          const found = await wallet.lookup(move.txId);
          return found.kind === "mined" ? found.height : null;
        });
      }
      expect(await wallet.broadcast(old)).toMatchObject({
        kind: "unknown",
        reason: expect.stringContaining("double spend"),
      });
    });
  });
}
