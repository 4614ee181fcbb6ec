import { createHash } from "node:crypto";
import { sql } from "kysely";
import { orderIdFrom } from "../../server/orders/creation/ids.ts";
import { createSwitches } from "../../server/treasury/balances/switches.ts";
import { freshDatabase } from "../support/database/database.ts";
import { runPayouts } from "../support/scenarios/test-engine.ts";
import { Audit } from "./audit.ts";
import { Customers } from "./customers.ts";
import { Earners } from "./earners.ts";
import { FaultLog } from "./faults.ts";
import { confirmationsOf, NETWORKS, simCatalogue, SimRates } from "./market.ts";
import { plantBug, type PlantedBug } from "./planted-bugs.ts";
import { Random } from "./random.ts";
import { SimChain } from "./sim-chain.ts";
import { SimNode } from "./sim-node.ts";
import { SimProcess } from "./sim-process.ts";
import { VirtualTime } from "./virtual-time.ts";
import { Environment } from "./environment.ts";

export type Simulated = {
  scenarios: number;
  violations: string[];
  faultLog: FaultLog;
  /** How many orders ended in which state. */
  ends: Map<string, number>;
  /** A fingerprint of every event and payment: equal for equal seeds. */
  digest: string;
};

const FAULTY_ROUNDS = 26;
const RECOVERY_ROUNDS = 12;
/** The last rounds, in which customers start nothing new: a deposit of the last minute would still be unconfirmed at the end. */
const QUIET_ROUNDS = 6;
const ROUNDS = FAULTY_ROUNDS + RECOVERY_ROUNDS;
const ROUND_SECONDS = 120;
const LEASE_SECONDS = 20;
const CALL_FAULT_SHARE = 0.012;
const OVERTAKEN = 0.004;
const CUSTOMER_ACTS = 0.004;

/**
 * Simulates one run: so many orders at once on three networks, by two workers and a web process over one real PostgreSQL, with the
 * faults of the seed; then ends the faults and checks everything. The same seed gives the same run.
 */
export async function simulate(seed: number, scenarios: number, bug: PlantedBug | null = null): Promise<Simulated> {
  await using admin = await freshDatabase({ max: 2 });
  const time = await VirtualTime.over(admin);
  const random = new Random(seed);
  const faultLog = new FaultLog();
  const errors: string[] = [];
  const onError = (line: string) => void errors.push(...unexpected(line));
  const chains = [...NETWORKS.keys()].map((title) => new SimChain(title));
  const rates = new SimRates();
  const catalogue = simCatalogue(bug === "credit without depth" ? () => 1 : confirmationsOf);
  let made = 0;
  const ids = { orderId: () => orderIdFrom(`${seed} id ${(made += 1)}`), reference: () => `R-${seed}-${(made += 1)}` };
  let isNested = false;
  const meanwhile = async (standing: SimProcess) => {
    if (isNested || standing === web) return;
    isNested = true;
    if (random.chance(OVERTAKEN)) {
      faultLog.record("stalled worker overtaken by another");
      await time.pass(LEASE_SECONDS);
      await work(standing === one ? two : one);
    } else if (random.chance(CUSTOMER_ACTS) && (await customers.actMeanwhile())) {
      faultLog.record("customer acts between two steps of a worker");
    }
    isNested = false;
  };
  const hang = () => time.pass(LEASE_SECONDS);
  const start = (name: string) => {
    const nodes = chains.map((chain) => {
      const traits = NETWORKS.get(chain.title);
      if (traits === undefined) throw new Error(`${chain.title} is not simulated`);
      const rebuilds = bug === "payment built again";
      const replacesElsewhere = bug === "replacement on another nonce";
      return new SimNode({
        chain,
        traits,
        faultLog,
        callFaultShare: CALL_FAULT_SHARE,
        rebuilds,
        replacesElsewhere,
        hang,
        random: random.branch(`${name} ${chain.title}`),
      });
    });
    const shared = { databaseUrl: admin.url, admin, rates, catalogue, ids, faultLog, meanwhile, onError };
    return new SimProcess({ name, nodes, now: () => time.now(), random: random.branch(name), ...shared });
  };
  const [one, two, web] = [start("one"), start("two"), start("web")];
  const byTitle = new Map(chains.map((chain) => [chain.title, chain]));
  const onAnswer = (error: unknown) => void errors.push(`a customer got: ${String(error)}`);
  const earners = new Earners({
    seed,
    random: random.branch("earners"),
    faultLog,
    web,
    admin,
    rates,
    catalogue,
    now: () => time.now(),
    onError: onAnswer,
  });
  await earners.open();
  const customers = new Customers({
    count: scenarios,
    seed,
    random: random.branch("customers"),
    faultLog,
    chains: byTitle,
    web,
    admin,
    now: () => time.now(),
    rates,
    earners,
    onError: onAnswer,
  });
  const switches = createSwitches(admin);
  const environment = new Environment({
    random: random.branch("weather"),
    faultLog,
    chains,
    processes: [one, two, web],
    rates,
    switches,
    hasDeepForks: random.chance(0.25),
  });
  const audit = new Audit({
    admin,
    chains: byTitle,
    customers: customers.all,
    earners,
    undoneBeyond: environment.undoneBeyond,
  });
  const sabotage = plantBug(bug, admin);

  for (let round = 1; round <= ROUNDS; round += 1) {
    await (round <= FAULTY_ROUNDS ? environment.change(round) : environment.recover());
    await web.run((testEngine) => testEngine.switches.refresh());
    if (round <= ROUNDS - QUIET_ROUNDS) await customers.act(round);
    if (round <= ROUNDS - QUIET_ROUNDS) await earners.act();
    await earners.decide();
    await watchMempools(round % 2 === 0 ? two : one);
    if (round <= FAULTY_ROUNDS) environment.mineSome();
    else for (const chain of chains) chain.mine();
    await sabotage();
    await work(round % 2 === 0 ? one : two);
    await time.pass(2);
    if (round % 5 === 0) await work(round % 2 === 0 ? two : one);
    await audit.judgeCredits();
    await time.pass(ROUND_SECONDS);
  }
  const violations = [...errors, ...(await audit.judgeTheEnd())];
  await customers.refresh();
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from orders group by state order by state`.execute(admin.kysely);
  const digest = await fingerprint(admin, chains);
  for (const process of [one, two, web]) await process.close();
  return { scenarios, violations, faultLog, ends: new Map(rows.map((row) => [row.state, row.count])), digest };
}

/** Errors of a loop are those of the faults; it goes on with its next turn. */
async function toleratingFaults(turn: () => Promise<unknown>): Promise<void> {
  try {
    await turn();
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
}

async function watchMempools(process: SimProcess): Promise<void> {
  await process.run(async ({ engine }) => {
    for (const watch of engine.mempoolWatches.values()) await toleratingFaults(() => watch.turn());
  });
}

/** A worker's loops, once each: what fails is tried again in the next round, as the real loops do. */
async function work(process: SimProcess): Promise<void> {
  await process.run(async ({ engine }) => {
    for (const follower of engine.followers.values())
      await toleratingFaults(async () => {
        while (await follower.turn());
      });
    for (const watch of engine.mempoolWatches.values()) await toleratingFaults(() => watch.turn());
    while (await engine.runOrders());
    await runPayouts(engine);
    while (await engine.runOrders());
    await toleratingFaults(() => engine.reverseUndone());
  });
}

const EXPECTED = [
  /the node does not answer/,
  // A call that hangs lets the other worker work: on a busy machine that outlasts the time limit of the call.
  /the mempool was not read within/,
  /the reply to COMMIT was lost/,
  /the node has no block/,
  /it signs nothing/,
  /There is no price now/,
];
const isExpected = (error: unknown): boolean =>
  error instanceof Error && EXPECTED.some((pattern) => pattern.test(error.message));

/** Errors in the log that no fault explains. */
function unexpected(line: string): string[] {
  const { err, msg }: { err?: { message: string; stack?: string }; msg: string } = JSON.parse(line);
  if (err === undefined || EXPECTED.some((pattern) => pattern.test(err.message))) return [];
  return [`${msg}: ${err.stack ?? err.message}`];
}

async function fingerprint(admin: Awaited<ReturnType<typeof freshDatabase>>, chains: SimChain[]): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', order_id, seq, kind, extract(epoch from at)) as line from order_events order by order_id, seq`.execute(
    admin.kysely,
  );
  const hash = createHash("sha256");
  for (const { line } of rows) hash.update(line);
  for (const chain of chains)
    for (const { hash: name, transactions } of chain.blocks)
      hash.update(`${name} ${transactions.map(({ txId }) => txId).join()}`);
  return hash.digest("hex").slice(0, 16);
}
