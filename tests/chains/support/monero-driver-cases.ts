import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { listenToNode, MONERO_TOPICS } from "../../../server/chains/announcements.ts";
import type { Handle, NetworkReader, NetworkWallet, Payment } from "../../../server/chains/port.ts";
import { eventually } from "../../support/eventually.ts";
import { XMR, type MoneroSetup } from "./monero.ts";
import { keyImagesOf } from "../../../server/chains/monero/key-images.ts";
import { createMoneroRpc } from "../../../server/chains/monero/rpc.ts";
import { startRpcProxy, type RpcProxy } from "./rpc-proxy.ts";

const outputsAnswer = z.object({ transfers: z.array(z.object({ key_image: z.string() })) });

/** The driver over monerod and monero-wallet-rpc, through a proxy that can spoil answers. */
export function driverCases(currentSetup: () => MoneroSetup): void {
  describe("the driver", () => {
    let setup: MoneroSetup;
    let daemon: RpcProxy;
    let view: RpcProxy;
    let hot: RpcProxy;
    let reader: NetworkReader;
    let wallet: NetworkWallet;
    /** Beyond those of the orders that other tests of this chain have made. */
    let index = 20n;

    const nextAddress = async () => (await reader.depositAddress((index += 1n))).address;
    const payment = async (amount = XMR): Promise<Payment> => ({
      slug: "xmr",
      toAddress: await setup.newAddress(),
      toMemo: null,
      amount,
    });
    const prepared = async (to: Payment, reserved: Handle[] = []) => {
      const handle = await wallet.chooseHandle(to, reserved);
      return { handle, ...(await wallet.prepare(to, handle)) };
    };
    /** The node's newest block, as the driver reads it. */
    const newest = async () => {
      const block = await reader.blockAt(await setup.devnet.height());
      if (block === null) throw new Error("the node has no newest block");
      return block;
    };

    beforeAll(async () => {
      setup = currentSetup();
      const { env } = setup.nodes;
      daemon = await startRpcProxy(env.XMR_DAEMON_URL);
      view = await startRpcProxy(env.XMR_VIEW_WALLET_URL);
      hot = await startRpcProxy(env.XMR_WALLET_URL);
      reader = setup.reader({ daemonUrl: daemon.rpcUrl, viewWalletUrl: view.rpcUrl });
      wallet = setup.wallet({ daemonUrl: daemon.rpcUrl, walletUrl: hot.rpcUrl });
    });
    beforeEach(() => {
      for (const proxy of [daemon, view, hot]) proxy.behave();
    });
    afterAll(async () => {
      for (const proxy of [daemon, view, hot]) await proxy?.stop();
    });

    describe("a deposit address", () => {
      it("is the same whenever its index is asked for, and another one for each index", async () => {
        const [first, again, far] = [
          await reader.depositAddress(7n),
          await reader.depositAddress(7n),
          await reader.depositAddress(10n),
        ];
        expect(again).toEqual(first);
        expect(far).not.toEqual(first);
        expect(first.memo).toBeNull();
        expect(reader.parseAddress(first.address)).toEqual({ valid: true, canonical: first.address });
        expect(reader.depositUri(first.address, null, "xmr", (3n * XMR) / 2n)).toBe(
          `monero:${first.address}?tx_amount=1.5`,
        );
      });

      it("is known to a wallet that was started again without having been closed", async () => {
        // Beyond the addresses that the wallet has made ahead.
        const { address } = await reader.depositAddress(270n);
        await setup.view("close_wallet", { autosave_current: false });
        await setup.view("open_wallet", { filename: "view", password: "" });
        view.calls.length = 0;
        expect(await reader.depositAddress(270n)).toEqual({ address, memo: null });
        expect(view.calls).not.toContain("create_address");
      });
    });

    describe("a block", () => {
      /** The node may leave a payment that has just come out of its next block. */
      const mineInto = (txId: string) =>
        eventually("a block takes the payment", async () => {
          await setup.devnet.mine(1);
          return (await setup.wallet().lookup(txId)).kind === "mined" ? true : null;
        });

      it("shows what one transaction pays to several orders, added up for each", async () => {
        const [one, two] = [await nextAddress(), await nextAddress()];
        const txId = await setup.payAll([
          { address: one, amount: XMR },
          { address: two, amount: 2n * XMR },
          { address: one, amount: 3n * XMR },
        ]);
        await setup.devnet.mine(1);
        const block = await newest();
        const { minedAt, ...head } = await reader.head();
        expect(head).toEqual({ height: block.height, hash: block.hash, parentHash: block.parentHash });
        expect(Math.abs((minedAt ?? 0) - Date.now())).toBeLessThan(600_000);
        expect((await reader.blockAt(block.height - 1))?.hash).toBe(block.parentHash);
        expect(await reader.blockAt(block.height + 1)).toBeNull();
        const transfers = block.transfers.toSorted((left, right) => Number(right.amount - left.amount));
        expect(transfers).toEqual([
          { txId, outputIndex: expect.any(Number), toAddress: one, slug: "xmr", amount: 4n * XMR },
          { txId, outputIndex: expect.any(Number), toAddress: two, slug: "xmr", amount: 2n * XMR },
        ]);
        expect(transfers[0]?.outputIndex).not.toBe(transfers[1]?.outputIndex);
      });

      it("credits nothing whose sender has locked it", async () => {
        const address = await nextAddress();
        const txId = await setup.payAll([{ address, amount: XMR }], 5_000);
        await mineInto(txId);
        expect((await newest()).transfers).toMatchObject([
          { txId, toAddress: address, reviewReason: "locked_by_its_sender" },
        ]);
      });

      it("is not shown as long as the wallet has not seen it", async () => {
        // By itself it polls every 20 seconds, which could be now.
        await setup.view("auto_refresh", { enable: false });
        const address = await nextAddress();
        await mineInto(await setup.payAll([{ address, amount: XMR }]));
        const height = await setup.devnet.height();
        view.misbehave(({ method }) =>
          method === "refresh" ? { kind: "answer", body: { result: {} } } : { kind: "pass" },
        );
        await expect(reader.blockAt(height)).rejects.toThrow("not yet block");
        view.behave();
        expect((await reader.blockAt(height))?.transfers).toHaveLength(1);
      });

      it("is not shown with what the wallet saw on another branch", async () => {
        const address = await nextAddress();
        await mineInto(await setup.payAll([{ address, amount: XMR }]));
        const height = await setup.devnet.height();
        const entry = {
          txid: "a".repeat(64),
          height,
          amount: 1,
          address,
          unlock_time: 0,
          subaddr_index: { major: 1, minor: 1 },
        };
        view.misbehave(({ method }) =>
          method === "get_transfers" ? { kind: "answer", body: { result: { in: [entry] } } } : { kind: "pass" },
        );
        await expect(reader.blockAt(height)).rejects.toThrow("the node does not");
      });

      it("is replaced by a reorganisation, and shows again what came back with it", async () => {
        const address = await nextAddress();
        const txId = await setup.payAll([{ address, amount: XMR }]);
        await setup.devnet.mine(2);
        const height = await setup.devnet.height();
        const before = await reader.blockAt(height - 1);
        expect(before?.transfers).toMatchObject([{ txId }]);
        await setup.devnet.reorg(2);
        const after = await reader.blockAt(height - 1);
        expect(after?.hash).not.toBe(before?.hash);
        expect(after?.parentHash).toBe(before?.parentHash);
        expect(after?.transfers).toEqual(before?.transfers);
        expect((await reader.blockAt(height))?.parentHash).toBe(after?.hash);
      });
    });

    it("its node announces a payment and a block to whoever listens, without a poll", async () => {
      let news = 0;
      const { XMR_ZMQ_URL } = setup.nodes.env;
      const end = listenToNode(XMR_ZMQ_URL, MONERO_TOPICS, () => (news += 1), createLog({ level: "silent" }));
      onTestFinished(end);
      // Until the node has taken the subscription it tells nobody.
      const mined = async () => {
        await setup.devnet.mine(1);
        return news;
      };
      await expect.poll(mined, { timeout: 60_000, interval: 1_000 }).toBeGreaterThan(0);
      const address = await nextAddress();
      const before = news;
      await setup.payAll([{ address, amount: XMR }]);
      await expect.poll(() => news, { timeout: 10_000 }).toBeGreaterThan(before);
      await setup.devnet.mine(1);
    });

    describe("the mempool", () => {
      const flush = (txId: string) =>
        createMoneroRpc(setup.nodes.env.XMR_DAEMON_URL, 60_000).call("flush_txpool", { txids: [txId] }, z.unknown());
      const waiting = async (address: string) =>
        (await reader.mempool?.(async () => 0n))?.filter(({ toAddress }) => toAddress === address) ?? [];

      it("shows a payment before any block, and the block shows it under the same key", async () => {
        const address = await nextAddress();
        expect(await waiting(address)).toEqual([]);
        const txId = await setup.payAll([
          { address, amount: XMR },
          { address, amount: 2n * XMR },
        ]);
        const seen = await waiting(address);
        expect(seen).toEqual([
          { txId, outputIndex: expect.any(Number), toAddress: address, slug: "xmr", amount: 3n * XMR },
        ]);
        await setup.devnet.mine(1);
        expect((await newest()).transfers.filter(({ toAddress }) => toAddress === address)).toEqual(seen);
        expect(await waiting(address)).toEqual([]);
      });

      it("shows that its sender has locked a payment", async () => {
        const address = await nextAddress();
        const txId = await setup.payAll([{ address, amount: XMR }], 5_000);
        expect(await waiting(address)).toMatchObject([{ txId, reviewReason: "locked_by_its_sender" }]);
        await setup.devnet.mine(1);
      });

      it("shows nothing of a payment that the pool has dropped", async () => {
        const address = await nextAddress();
        const txId = await setup.payAll([{ address, amount: XMR }]);
        expect(await waiting(address)).toMatchObject([{ txId }]);
        await flush(txId);
        expect(await waiting(address)).toEqual([]);
        await setup.devnet.mine(1);
        expect((await newest()).transfers).toEqual([]);
      });
    });

    describe("a wrong program", () => {
      it("is refused: a wallet that reads deposits and could spend them", async () => {
        await expect(setup.reader({ viewWalletUrl: setup.nodes.env.XMR_WALLET_URL }).head()).rejects.toThrow(
          "spend key",
        );
      });

      it("is refused: a node of another network", async () => {
        await expect(setup.reader({ nettypes: ["mainnet"] }).head()).rejects.toThrow("serves fakechain");
      });

      it("is refused: a node without its wallet", async () => {
        view.misbehave(() => ({ kind: "cut" }));
        await expect(reader.head()).rejects.toThrow();
        view.behave();
        expect((await reader.head()).height).toBe(await setup.devnet.height());
      });
    });

    describe("a payment", () => {
      it("is signed without being sent, and arrives once however often it is sent", async () => {
        const to = await payment(3n * XMR);
        const before = await wallet.hotBalance("xmr");
        daemon.calls.length = 0;
        const { raw, txId } = await prepared(to);
        expect(daemon.calls).not.toContain("/send_raw_transaction");
        expect(await wallet.lookup(txId)).toEqual({ kind: "absent" });

        for (let times = 0; times < 2; times += 1)
          expect(await wallet.broadcast({ raw, txId })).toEqual({ kind: "accepted" });
        expect(await wallet.lookup(txId)).toEqual({ kind: "pending" });
        await setup.devnet.mine(1);
        expect(await wallet.broadcast({ raw, txId })).toEqual({ kind: "accepted" });
        await setup.devnet.mine(1);
        expect(await setup.received(to.toAddress)).toEqual([{ txId, amount: to.amount }]);

        const found = await wallet.lookup(txId);
        if (found.kind !== "mined") throw new Error("it is not mined");
        expect(found).toMatchObject({ succeeded: true, hash: (await reader.blockAt(found.height))?.hash });
        expect(before - (await wallet.hotBalance("xmr"))).toBe(to.amount + found.feePaid);
        expect(found.feePaid).toBeLessThanOrEqual(await reader.estimateFee("xmr"));
      });

      it("can be proven to its recipient with the key that is stored beside its bytes", async () => {
        const to = await payment();
        const { raw, txId } = await prepared(to);
        await wallet.broadcast({ raw, txId });
        await setup.devnet.mine(1);
        const { txKey } = z.object({ txKey: z.string() }).parse(JSON.parse(raw));
        const proof = await setup.customer(
          "check_tx_key",
          { txid: txId, tx_key: txKey, address: to.toAddress },
          z.object({ received: z.bigint() }),
        );
        expect(proof.received).toBe(to.amount);
      });

      it("spends nothing that another one has reserved, so that both arrive in one block", async () => {
        const [first, second] = [await payment(), await payment()];
        const one = await prepared(first);
        const two = await prepared(second, [one.handle]);
        expect(one.handle.keys.filter((key) => two.handle.keys.includes(key))).toEqual([]);
        for (const { raw, txId } of [one, two]) await wallet.broadcast({ raw, txId });
        await setup.devnet.mine(1);
        for (const { toAddress } of [first, second]) expect(await setup.received(toAddress)).toHaveLength(1);
      });

      it("that waits in the pool is known by its key images, though the wallet has forgotten it, until it is mined, and then by what has left", async () => {
        const { amount, ...to } = await payment();
        const { txId, ...sent } = await prepared({ ...to, amount });
        const height = await setup.devnet.height();
        const recent = async () => ((await wallet.recentPayments?.(height)) ?? []).filter((one) => one.txId === txId);
        expect(await recent()).toEqual([]);
        await wallet.broadcast({ ...sent, txId });
        expect(await recent()).toEqual([{ txId, height: null }]);
        await setup.devnet.mine(1);
        await wallet.hotBalance("xmr");
        expect(await recent()).toEqual([{ txId, height: height + 1, sent: { slug: "xmr", amount } }]);
      });

      it("that shares its outputs with one that was sent is never taken, before and after that one is mined", async () => {
        const [first, second] = [await payment(), await payment()];
        const winner = await prepared(first);
        const loser = await wallet.prepare(second, winner.handle);
        const before = await setup.devnet.height();
        expect(await wallet.deadAt?.(loser, before)).toBeNull();
        await wallet.broadcast(winner);
        expect(await wallet.deadAt?.(loser, before)).toBeNull();
        expect(await wallet.usesHandle?.(winner.txId, winner.handle)).toBe(false);
        expect(await wallet.broadcast(loser)).toMatchObject({
          kind: "unknown",
          reason: expect.stringContaining("double spend"),
        });
        await setup.devnet.mine(1);
        expect(await wallet.broadcast(loser)).toMatchObject({ kind: "unknown" });
        expect(await wallet.lookup(loser.txId)).toEqual({ kind: "absent" });
        const after = await reader.head();
        expect(await wallet.deadAt?.(loser, before)).toBeNull();
        expect(await wallet.deadAt?.(loser, after.height)).toBe(after.hash);
        expect(await wallet.deadAt?.(loser, after.height + 1)).toBeNull();
        expect(await wallet.deadAt?.(winner, after.height)).toBeNull();
        expect(await wallet.deadAt?.({ raw: "", txId: loser.txId }, after.height)).toBeNull();
        expect(await wallet.usesHandle?.(winner.txId, winner.handle)).toBe(true);
        expect(await wallet.usesHandle?.(winner.txId, await wallet.chooseHandle(second, []))).toBe(false);
        expect([(await setup.received(first.toAddress)).length, await setup.received(second.toAddress)]).toEqual([
          1,
          [],
        ]);
      });

      it("is discarded when the wallet would spend what the payment has not reserved", async () => {
        const to = await payment();
        const handle = await wallet.chooseHandle(to, []);
        for (const key_image of handle.keys) await setup.hot("freeze", { key_image });
        // The wallet keeps all as it is, so that the chosen outputs stay frozen and others don't.
        hot.misbehave(({ method }) =>
          method === "thaw" || method === "freeze" ? { kind: "answer", body: { result: {} } } : { kind: "pass" },
        );
        const others = await setup.hot("incoming_transfers", { transfer_type: "available" }, outputsAnswer);
        for (const { key_image } of others.transfers)
          if (!handle.keys.includes(key_image)) await setup.hot("thaw", { key_image });
        await expect(wallet.prepare(to, handle)).rejects.toThrow("has not reserved");
        hot.behave();
        expect((await wallet.prepare(to, handle)).txId).toMatch(/^[0-9a-f]{64}$/);
      });

      it("whose answer was lost is unknown until it is looked up", async () => {
        const to = await payment();
        const { raw, txId } = await prepared(to);
        daemon.misbehave(({ method }) => ({ kind: method === "/send_raw_transaction" ? "cut after" : "pass" }));
        expect(await wallet.broadcast({ raw, txId })).toMatchObject({
          kind: "unknown",
          reason: expect.stringMatching(/.+/),
        });
        daemon.behave();
        expect(await wallet.lookup(txId)).toEqual({ kind: "pending" });
        await setup.devnet.mine(1);
        expect(await setup.received(to.toAddress)).toHaveLength(1);
      });

      it("to a dead node is unknown, and nothing is thrown", async () => {
        const dead = setup.wallet({ daemonUrl: `http://127.0.0.1:${await freePort()}` });
        expect(
          await dead.broadcast({ raw: JSON.stringify({ bytes: "00", txKey: "00" }), txId: "0".repeat(64) }),
        ).toMatchObject({
          kind: "unknown",
        });
        await expect(dead.lookup("0".repeat(64))).rejects.toThrow();
      });

      /** A new block may have been built before the node had the payment in its pool: then the next one has it. */
      const mined = (txId: string) =>
        eventually("the payment is mined", async () => {
          const found = await wallet.lookup(txId);
          if (found.kind === "mined") return found;
          await setup.devnet.mine(1);
          return null;
        });

      it("is pending again after a reorganisation, or in another block", async () => {
        const to = await payment();
        const { raw, txId } = await prepared(to);
        await wallet.broadcast({ raw, txId });
        await setup.devnet.mine(1);
        const before = await mined(txId);
        await setup.devnet.reorg(1);
        const after = await mined(txId);
        expect(after.hash).not.toBe(before.hash);
        expect(after.hash).toBe((await reader.blockAt(after.height))?.hash);
        expect(await wallet.broadcast({ raw, txId })).toEqual({ kind: "accepted" });
        expect(await setup.received(to.toAddress)).toHaveLength(1);
      });

      describe("that the pool has dropped", () => {
        const flush = (txId: string) =>
          createMoneroRpc(setup.nodes.env.XMR_DAEMON_URL, 60_000).call("flush_txpool", { txids: [txId] }, z.unknown());
        const sentAndDropped = async (amount = XMR) => {
          const to = await payment(amount);
          const first = await prepared(to);
          await wallet.broadcast(first);
          expect(await wallet.prepareReplacement?.(to, first.handle, [first], [])).toBeNull();
          await flush(first.txId);
          expect(await wallet.lookup(first.txId)).toEqual({ kind: "absent" });
          return { to, first };
        };
        /** The node refuses these bytes, as it does those whose fee or ring is too old for it. */
        const refuseBytesOf = ({ raw }: { raw: string }) =>
          daemon.misbehave((call) =>
            call.method === "/send_raw_transaction" && raw.includes(String(Reflect.get(call, "tx_as_hex")))
              ? { kind: "answer", body: { status: "Failed", reason: "fee too low", fee_too_low: true } }
              : { kind: "pass" },
          );
        const replaced = async ({ to, first }: Awaited<ReturnType<typeof sentAndDropped>>) => {
          refuseBytesOf(first);
          const second = await wallet.prepareReplacement?.(to, first.handle, [first], []);
          if (!second) throw new Error("it was not signed anew");
          return second;
        };
        const bytesOf = ({ raw }: { raw: string }) => z.object({ bytes: z.string() }).parse(JSON.parse(raw)).bytes;

        it("is sent again with the same bytes as long as the node takes them", async () => {
          const { to, first } = await sentAndDropped();
          expect(await wallet.prepareReplacement?.(to, first.handle, [first], [])).toBeNull();
          expect(await wallet.lookup(first.txId)).toEqual({ kind: "pending" });
          await mined(first.txId);
          expect(await wallet.prepareReplacement?.(to, first.handle, [first], [])).toBeNull();
          expect(await setup.received(to.toAddress)).toHaveLength(1);
        });

        it("is signed anew over the same key images where the node refuses the bytes, and arrives once", async () => {
          const dropped = await sentAndDropped();
          const second = await replaced(dropped);
          expect(second.txId).not.toBe(dropped.first.txId);
          expect(keyImagesOf(bytesOf(second))).toEqual(keyImagesOf(bytesOf(dropped.first)));
          expect(await wallet.lookup(second.txId)).toEqual({ kind: "absent" });
          expect(await wallet.broadcast(second)).toEqual({ kind: "accepted" });
          daemon.behave();
          expect(await wallet.broadcast(dropped.first)).toMatchObject({
            reason: expect.stringContaining("double spend"),
          });
          expect(await mined(second.txId)).toMatchObject({ feePaid: second.maxCost });
          expect(await wallet.broadcast(dropped.first)).toMatchObject({ kind: "unknown" });
          expect(await setup.received(dropped.to.toAddress)).toEqual([{ txId: second.txId, amount: XMR }]);
        });

        it("is signed anew over all the outputs that it had, where it had several", async () => {
          const dropped = await sentAndDropped(60n * XMR);
          const images = keyImagesOf(bytesOf(dropped.first));
          expect(images.length).toBeGreaterThan(1);
          const second = await replaced(dropped);
          expect(keyImagesOf(bytesOf(second)).toSorted()).toEqual(images.toSorted());
          await wallet.broadcast(second);
          await mined(second.txId);
          expect(await setup.received(dropped.to.toAddress)).toEqual([{ txId: second.txId, amount: 60n * XMR }]);
        });

        it("may be mined after it was signed anew, and a reorganisation may swap the two", async () => {
          const dropped = await sentAndDropped();
          const second = await replaced(dropped);
          daemon.behave();
          await wallet.broadcast(dropped.first);
          await mined(dropped.first.txId);
          expect(await wallet.broadcast(second)).toMatchObject({ reason: expect.stringContaining("double spend") });
          expect(await wallet.lookup(second.txId)).toEqual({ kind: "absent" });
          expect(await setup.received(dropped.to.toAddress)).toHaveLength(1);

          const rpc = createMoneroRpc(setup.nodes.env.XMR_DAEMON_URL, 60_000);
          await rpc.post("/pop_blocks", { nblocks: 1 }, z.unknown());
          await flush(dropped.first.txId);
          expect(await wallet.broadcast(second)).toEqual({ kind: "accepted" });
          await mined(second.txId);
          expect(await wallet.lookup(dropped.first.txId)).toEqual({ kind: "absent" });
          expect(await setup.received(dropped.to.toAddress)).toEqual([{ txId: second.txId, amount: XMR }]);
        });

        it("is never signed anew over other outputs", async () => {
          const dropped = await sentAndDropped();
          const [another] = [await wallet.chooseHandle(dropped.to, [dropped.first.handle])];
          refuseBytesOf(dropped.first);
          await expect(wallet.prepareReplacement?.(dropped.to, another, [dropped.first], [])).rejects.toThrow(
            "not reserved",
          );
          daemon.behave();
          await wallet.broadcast(dropped.first);
          await mined(dropped.first.txId);
        });
      });

      it("is refused for more than the wallet can spend, for another coin, or to ourselves", async () => {
        const all = await wallet.hotBalance("xmr");
        await expect(wallet.chooseHandle(await payment(all), [])).rejects.toThrow("no free outputs");
        await expect(wallet.hotBalance("btc")).rejects.toThrow("btc");
        await reader.head();
        expect(reader.parseAddress(wallet.hotAddress())).toEqual({ valid: false, code: "error_address_unpayable" });
      });
    });
  });
}
