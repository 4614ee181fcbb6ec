import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { BusyLitecoin } from "./support/busy-litecoin.ts";
import { StuckSwap } from "./support/stuck-swap.ts";

const BUSY = 50n;
const START_LIMIT_MS = 400_000;

let busy: BusyLitecoin;
let database: TestDatabase;
let swap: StuckSwap;

beforeAll(async () => {
  busy = await BusyLitecoin.start();
}, START_LIMIT_MS);
beforeEach(async () => {
  database = await freshDatabase();
  swap = new StuckSwap(busy.network(), database);
});
afterEach(async () => {
  busy.line.behave();
  await database.drop();
});
afterAll(() => busy?.end());

const statuses = async () => (await swap.attempts()).map(({ status }) => status);
const inputOf = async (raw: string) => {
  const schema = z.object({ vin: z.tuple([z.object({ txid: z.string(), vout: z.int() })]) });
  const [{ txid, vout }] = (await busy.setup.ask("decoderawtransaction", [raw], schema)).vin;
  return `${txid}:${vout}`;
};
const feeOf = async (txId: string) => {
  const found = await busy.wallet().lookup(txId);
  return found.kind === "mined" ? found.feePaid : null;
};

describe("a payment that no block takes", () => {
  beforeEach(() => swap.begin());

  it("is replaced once fees have risen, and arrives once", async () => {
    await swap.waitInVain();
    expect(await swap.attempts()).toHaveLength(1);
    busy.raiseFees(BUSY);
    await swap.waitInVain();
    expect(await swap.attempts()).toHaveLength(2);
    await swap.blocks(3);
    const [, replacement] = await swap.attempts();
    expect(await statuses()).toEqual(["dead", "mined"]);
    expect(await swap.shownTxId()).toBe(replacement?.txId);
    expect(await swap.fees()).toEqual([{ kind: "network_fee", amount: replacement?.maxCost }]);
    expect(await swap.children()).toEqual([]);
    expect(await swap.violations()).toEqual([]);
  });

  it("is booked by the old transaction where that is mined after the new one was stored", async () => {
    busy.raiseFees(BUSY, ["sendrawtransaction"]);
    await swap.waitInVain();
    const [old] = await swap.attempts();
    expect(await statuses()).toEqual(["broadcast", "broadcast"]);
    await busy.mineThese([old?.txId ?? ""]);
    busy.line.behave();
    await swap.turn();
    await swap.blocks(2);
    expect(await statuses()).toEqual(["mined", "dead"]);
    expect(await swap.shownTxId()).toBe(old?.txId);
    expect(await swap.fees()).toEqual([{ kind: "network_fee", amount: await feeOf(old?.txId ?? "") }]);
    expect(await swap.violations()).toEqual([]);
  });

  it("is booked by whichever a reorganisation leaves in the chain", async () => {
    busy.raiseFees(BUSY);
    await swap.waitInVain();
    await swap.blocks(1);
    expect(await statuses()).toEqual(["broadcast", "mined"]);
    const [old] = await swap.attempts();
    if (old === undefined) throw new Error("there is an old one");
    await busy.swapNewest(old);
    await swap.turn();
    await swap.turn();
    expect(await swap.shownTxId()).toBe(old.txId);
    await swap.blocks(2);
    expect(await statuses()).toEqual(["mined", "dead"]);
    expect(await swap.fees()).toEqual([{ kind: "network_fee", amount: await feeOf(old.txId) }]);
    expect(await swap.violations()).toEqual([]);
  });
});

describe("a payment that no block takes and no node replaces", () => {
  beforeAll(() => busy.restart("replaces nothing"));
  afterAll(() => busy.restart("busy"));
  beforeEach(() => swap.begin());

  it("is paid for by a payment to ourselves, whose fee is booked beside its own", async () => {
    busy.raiseFees(BUSY);
    await swap.waitInVain();
    const [[attempt], [child]] = [await swap.attempts(), await swap.children()];
    expect(child).toMatchObject({ n: 1, status: "prepared", paysFor: attempt?.txId });
    expect(await swap.payout()).toMatchObject({ state: "broadcast", replacements: 1, stuck_reason: null });
    await swap.blocks(3);
    expect(await statuses()).toEqual(["mined"]);
    expect(await swap.children()).toMatchObject([{ status: "mined" }]);
    expect(await swap.shownTxId()).toBe(attempt?.txId);
    expect(await swap.fees()).toEqual([
      { kind: "network_fee", amount: await feeOf(attempt?.txId ?? "") },
      { kind: "child_fee", amount: child?.maxCost },
    ]);
    expect(await swap.violations()).toEqual([]);
  });

  it("is paid for by bytes that are sent again where they were lost", async () => {
    busy.raiseFees(BUSY, ["sendrawtransaction"]);
    await swap.waitInVain();
    const [child] = await swap.children();
    expect(await busy.isWaiting(child?.txId ?? "")).toBe(false);
    busy.raiseFees(BUSY);
    await swap.turn();
    expect(await busy.isWaiting(child?.txId ?? "")).toBe(true);
    await swap.blocks(3);
    expect(await swap.violations()).toEqual([]);
  });

  it("that is mined alone is final once what pays for it is, so that no other payment spends the same", async () => {
    busy.raiseFees(BUSY, ["sendrawtransaction"]);
    await swap.waitInVain();
    const [attempt] = await swap.attempts();
    await busy.mineThese([attempt?.txId ?? ""]);
    await swap.blocks(4);
    expect(await swap.payout()).toMatchObject({ state: "mined" });
    const [child] = await swap.children();
    const reserved = await database.kysely
      .selectFrom("payout_handles")
      .select("key")
      .where("released_at", "is", null)
      .execute();
    expect(reserved.map(({ key }) => key)).toContain(await inputOf(child?.raw ?? ""));
    busy.raiseFees(BUSY);
    await swap.turn();
    await swap.blocks(2);
    expect(await swap.fees()).toHaveLength(2);
    expect(await swap.violations()).toEqual([]);
  });
});
