import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { LitecoinSwap } from "../support/scenarios/litecoin-swap.ts";
import { runPayouts } from "../support/scenarios/test-engine.ts";
import { whileSigning } from "../support/scenarios/while-signing.ts";

const BEYOND = 6;
const PAY_LTC = { action: "pay", scope: "LTC", direction: "both" } as const;

let swap: LitecoinSwap;
let other: Database;
beforeEach(async () => {
  swap = await LitecoinSwap.open();
  swap.ether.mine(8);
  other = swap.connect("another worker");
});
afterEach(async () => {
  await other.close();
  await swap.close();
});

const rows = async () => {
  const { rows: found } = await other.pool.query<{ text: string }>(
    "select purpose || ' ' || state || ' ' || coalesce(review_reason, '') as text from payouts order by id",
  );
  return found.map(({ text }) => text);
};

describe("a deposit that another process finds gone after the check, and before the signature is stored", () => {
  it.each([
    ["a partner", true],
    ["the customer", false],
  ])("leaves %s unpaid", async (_, hasPartner) => {
    const parts = hasPartner ? swap.withPartner() : {};
    await swap.start(parts);
    const follower = (await swap.another(other, parts)).engine.followers.get("ETH");
    const raced: string[][] = [];
    whileSigning(hasPartner ? swap.ether : swap.litecoin, hasPartner ? "partner" : "dest", async () => {
      swap.ether.reorg(BEYOND);
      swap.ether.mine();
      await follower?.turn();
      raced.push(await rows());
    });
    await swap.pay();
    await swap.blocks(14);
    expect(raced).toEqual([
      hasPartner ? ["payout review deposit_gone", "funding review deposit_gone"] : ["payout review deposit_gone"],
    ]);
    expect([swap.paid, swap.paidToPartner]).toEqual([0, 0]);
    expect(await rows()).toEqual(raced[0]);
    // Its nonce is for others again.
    const { rows: handles } = await other.pool.query("select from payout_handles where released_at is null");
    expect(handles).toEqual([]);
  });

  it("leaves its nonce to the empty payment that the other process has sent on it, whose fee is booked", async () => {
    await swap.start();
    const { engine } = await swap.another(other);
    whileSigning(swap.litecoin, "dest", async () => {
      swap.ether.reorg(BEYOND);
      swap.ether.mine();
      await engine.followers.get("ETH")?.turn();
      await runPayouts(engine);
      expect(swap.litecoin.pending).toMatchObject([{ nonce: 0, transfers: [] }]);
    });
    await swap.pay();
    await swap.blocks(14);
    const { rows: empties } = await other.pool.query("select status from payout_cancellations");
    expect(empties).toEqual([{ status: "mined" }]);
    const { rows: fees } = await other.pool.query("select from ledger_transfers where kind = 'failed_attempt_fee'");
    expect(fees).toHaveLength(1);
    await swap.pay();
    await swap.blocks(14);
    expect(swap.paid).toBe(1);
  });

  it("leaves one unpaid that had been signed before, and whose transaction is dead", async () => {
    await swap.start();
    await swap.engine.switches.stop({ ...PAY_LTC, reason: "a check" });
    await swap.pay();
    await swap.blocks(4);
    await other.pool.query(
      "insert into payout_attempts (payout_id, n, network, tx_id, raw, status, prepared_at) select id, 1, network, 'dead', 'raw', 'dead', now() from payouts",
    );
    await swap.loseDeposit();
    expect(await rows()).toEqual(["payout review deposit_gone"]);
    await swap.engine.switches.release(PAY_LTC);
    await swap.blocks(4);
    expect([swap.paid, await rows()]).toEqual([0, ["payout review deposit_gone"]]);
  });
});

it.each([
  { what: "the customer", toAddress: "dest", hasPartner: false },
  { what: "a partner", toAddress: "partner", hasPartner: true },
])(
  "a payment of another network that no row knows, found between the check and the signature, leaves $what unpaid",
  async ({ toAddress, hasPartner }) => {
    const parts = hasPartner ? swap.withPartner() : {};
    await swap.start(parts);
    const others = hasPartner ? swap.litecoin : swap.ether;
    const follower = (await swap.another(other, parts)).engine.followers.get(others.networkTitle);
    const to = hasPartner ? "dest" : "refund";
    whileSigning(hasPartner ? swap.ether : swap.litecoin, toAddress, async () => {
      others.spendOutside([{ outputIndex: -1, toAddress: to, slug: others.feeSlug, amount: 10n ** 8n }]);
      others.mine();
      await follower?.turn();
    });
    await swap.pay("refund");
    await swap.blocks(14);
    expect([swap.paid, swap.paidToPartner]).toEqual([hasPartner ? 1 : 0, 0]);
    expect((await rows()).at(-1)).toBe(`${hasPartner ? "funding" : "payout"} intended `);
    const { rows: handles } = await other.pool.query("select from payout_handles where released_at is null");
    expect(handles).toEqual([]);
  },
);

it("a stop that is set between the check and the signature is kept", async () => {
  await swap.start();
  whileSigning(swap.litecoin, "dest", () => swap.engine.switches.stop({ ...PAY_LTC, reason: "a theft" }));
  await swap.pay();
  await swap.blocks(6);
  expect([swap.paid, await rows()]).toEqual([0, ["payout intended "]]);
  await swap.engine.switches.release(PAY_LTC);
  await swap.blocks(4);
  expect(swap.paid).toBe(1);
});
