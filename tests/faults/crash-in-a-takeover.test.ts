import { afterAll, beforeAll, expect, it } from "vitest";
import { markRestored } from "../../server/db/backup/restored.ts";
import { inTransaction } from "../../server/db/transaction.ts";
import type { Handle, RecentPayment } from "../../server/chains/port.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { violations } from "../support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { liveThroughCrashes, type CrashPoints } from "../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../support/scenarios/dying-process.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";
import { createTestEngine } from "../support/scenarios/test-engine.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

const FULL = 1_491_500_000n;
const CONFIRMATIONS = 3;
const MOST_BLOCKS = 60;
/** What an earlier restore has signed, which no row knows, and what blocks ask for since. */
const [LOW, MARKET] = [21n, 100n];
const NONCES = [0, 1];
/** Fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = 150;
/** Every point with `SOAK=on`, else every fifth: what comes after is crashed in crash-in-a-consolidation. */
const STEP = process.env["SOAK"] === "on" ? 1 : 5;

let begun: TestDatabase;
let swap: FaultySwap;

/** An order is paid in when its database is restored once more, while what the restore before has signed waits on two nonces for lower fees. */
beforeAll(async () => {
  begun = await freshDatabase();
  swap = await FaultySwap.over(begun);
  swap.chain.consolidations = NONCES.length;
  await swap.open();
  swap.pay();
  swap.chain.mine(1);
  for (const nonce of NONCES)
    swap.chain.pending.push({
      txId: `before ${nonce}`,
      from: "hot",
      nonce,
      fee: LOW,
      transfers: [{ outputIndex: -1, toAddress: "hot", slug: "eth", amount: 1n }],
    });
  swap.chain.marketFee = MARKET;
  await inTransaction(begun, markRestored);
});
afterAll(() => begun.drop());

/** The mempool of an account's payments as nodes of Ethereum show it, and how the wallet outbids what waits there. */
function showingItsMempool(chain: FakeChain): FakeChain {
  return Object.assign(chain, {
    recentPayments: async (): Promise<RecentPayment[]> =>
      chain.pending
        .filter(({ from }) => from === "hot")
        .map(({ txId, nonce, transfers, fee }) => ({
          txId,
          height: null,
          key: `hot:${nonce}`,
          data: { nonce, fee: `${fee}` },
          isToOurselves: transfers.every(({ toAddress }) => toAddress === "hot"),
        })),
    chooseTakeover: async (waiting: readonly Handle[]) => {
      const [nonce] = waiting.map(({ data }) => Number(data["nonce"]));
      const mined = chain.blocks.flatMap(({ transactions }) => transactions).filter(({ from }) => from === "hot");
      if (nonce !== mined.length || waiting.some(({ data }) => Number(data["fee"]) >= MARKET)) return null;
      return { handle: { keys: [`hot:${nonce}`], data: { nonce, fee: `${MARKET}` } }, amount: 1n };
    },
  });
}

async function liveThrough(crashes: readonly number[]) {
  await using database = await begun.copy({ max: 2 });
  const chain = showingItsMempool(new FakeChain().continueFrom(swap.chain));
  const paid = () => chain.received("destination", "usdt-erc20");
  const live = (points: CrashPoints) =>
    runProcess(database, points, async (own) => {
      const [reader, wallet] = [points.reader(chain), points.wallet(chain)];
      const { settle } = await createTestEngine({ database: own, reader, wallet, probe: points.probe });
      for (let block = 0; block < MOST_BLOCKS; block += 1) {
        await timePasses(database);
        await settle();
        const payout = database.kysely.selectFrom("payouts").select("state").where("purpose", "=", "payout");
        if ((await payout.executeTakeFirst())?.state === "final") return;
        chain.mine();
      }
      throw new Error("the payment did not end");
    });
  const { died, last } = await liveThroughCrashes(crashes, live);
  const isDeep = async (txId: string, confirmations: number) => {
    const found = await chain.lookup(txId);
    return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
  };
  const broken = await violations(database, { delivered: async () => paid(), isDeep }, CONFIRMATIONS);
  if (String(paid()) !== String([FULL])) broken.push(`it paid ${paid().join()}`);
  // One on each nonce, of ours, whose fee is booked once: what waited there is in no block.
  const moved = chain.received("hot", "eth").length;
  if (moved !== NONCES.length) broken.push(`${moved} payments to ourselves are in blocks`);
  const mined = chain.blocks.flatMap(({ transactions }) => transactions);
  if (mined.some(({ txId }) => txId.startsWith("before"))) broken.push("what waited was taken");
  const { rows } = await database.pool.query<{ text: string }>(`
    select concat_ws(' ', 'payment', p.id, p.state, 'with', count(t.id), 'fees') as text
    from payouts p left join ledger_transfers t on t.kind = 'network_fee' and split_part(t.source_id, ' ', 1) = p.id::text
    where p.purpose = 'consolidation' group by p.id having p.state <> 'final' or count(t.id) <> 1`);
  broken.push(...rows.map(({ text }) => text));
  return { broken, died, points: last };
}

it("a process that dies while it takes over payments to ourselves on two nonces pays once, whichever point it is", async () => {
  const { broken, points } = await liveThrough([]);
  process.stdout.write(`crash points of payments to ourselves that are taken over: N = ${points.count}\n`);
  expect(broken).toEqual([]);
  expect(points.count).toBeGreaterThanOrEqual(MIN_POINTS);
  expect(points.names.filter((name) => name === "chooseTakeover, done but not returned").length).toBeGreaterThanOrEqual(
    NONCES.length,
  );
  const failures: string[] = [];
  // Each write of the takeover itself, also between those steps.
  const around = points.names.flatMap((name, at) =>
    name.startsWith("chooseTakeover") ? Array.from({ length: 12 }, (_, more) => at + 1 + more) : [],
  );
  const chosen = new Set(around.filter((at) => at <= points.count));
  for (let crashAt = 1; crashAt <= points.count; crashAt += STEP) chosen.add(crashAt);
  for (const crashAt of chosen) {
    const run = await liveThrough([crashAt]);
    if (run.died.length === 0) failures.push(`k = ${crashAt}: nothing died`);
    failures.push(...run.broken.map((what) => `k = ${crashAt} (${run.died.join()}): ${what}`));
  }
  expect(failures).toEqual([]);
});
