import { afterEach, beforeEach, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { OperatorError } from "../../server/admin/audit.ts";
import { runUndecidedCommand } from "../../server/orders/undecided/operator.ts";
import { runHeldCommand } from "../../server/treasury/operator/held-commands.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FaultySwap, HALF_ETH } from "../support/scenarios/faulty-swap.ts";
import { askForRefund } from "../support/scenarios/test-engine.ts";

const ROUNDS = 12;
const DAY = 86_400;
const ELSEWHERE = "0x52908400098527886E0F7030069857D2E4169EE7";

let database: TestDatabase;
let swap: FaultySwap;
let passed: number;

/** An order under the minimum, which its customer has left for as long as they may, with an operator's proposal to write it off. */
beforeEach(async () => {
  database = await freshDatabase();
  passed = 0;
  const now = () => new Date(Date.now() + passed * 1000);
  swap = await FaultySwap.over(database, { undecidedSeconds: DAY, now });
  swap.testEngine.rates.min = 2n * HALF_ETH;
  await swap.open();
  swap.pay();
  await swap.blocks(4);
  passed = DAY + 60;
  await swap.testEngine.engine.holdUndecided();
  await say(`order write-off ${swap.order.reference} gone --as ann`);
});
afterEach(() => database.drop());

/** True where it was taken; what is refused says so, and anything else is a fault. */
async function isTaken(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof OperatorError || error instanceof CodedError) return false;
    throw error;
  }
}

async function say(text: string): Promise<string | null> {
  const parts = { database, catalogue: swap.testEngine.catalogue, isRegtest: true };
  return (await runUndecidedCommand(parts, text.split(" "))) ?? runHeldCommand(parts, text.split(" "));
}

it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "of a customer's refund, an operator's and a write-off at one moment exactly one is taken (%i)",
  async () => {
    const { reference } = swap.order;
    const ways = [
      () => askForRefund(swap.testEngine, swap.order, "refund"),
      () => say(`order refund ${reference} gone --as cay --to ${ELSEWHERE}`),
      () => say("freeze confirm 1 gone --as bob"),
    ].toSorted(() => Math.random() - 0.5);
    const [taken] = await Promise.all([Promise.all(ways.map((way) => isTaken(way()))), swap.settle()]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    await swap.blocks(8);
    const received = [...swap.chain.received("refund", "eth"), ...swap.chain.received(ELSEWHERE, "eth")];
    const { rows: written } = await database.pool.query("select from ledger_transfers where kind = 'write_off'");
    expect(received.length + written.length).toBe(1);
    expect(["REFUND_COMPLETED", "expired"]).toContain((await swap.info()).status);
    expect(await say("held")).toBe("nothing is held");
  },
);
