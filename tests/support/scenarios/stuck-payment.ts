import { sql } from "kysely";
import type { BroadcastResult, PreparedPayment } from "../../../server/chains/port.ts";
import type { Database } from "../../../server/db/database.ts";
import { violations } from "../checkers/checkers.ts";
import type { CrashPoints } from "./crash-points.ts";
import { runProcess, timePasses } from "./dying-process.ts";
import { FakeChain } from "../chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const CONFIRMATIONS = 3;
const TURNS = 30;
const RISEN_FEE = 100n;

/** Which of the two transactions the chain ends with. */
export type StuckEnd =
  /** The one that pays more. */
  | "replacement"
  /** The old one: a miner still has it after the new one was stored and sent. */
  | "replaced"
  /** First the new one, then a reorganisation puts the old one into its place. */
  | "swapped";

/** A chain whose fees rise as soon as it has the first payment. */
class RisingChain extends FakeChain {
  readonly #end: StuckEnd;
  #first: string | null = null;
  #isSwapped = false;

  constructor(end: StuckEnd) {
    super();
    this.#end = end;
    this.mine(2);
  }

  /** Goes on where this one is now, without changing it. */
  copy(): RisingChain {
    const copy = new RisingChain(this.#end).continueFrom(this);
    copy.#first = this.#first;
    copy.#isSwapped = this.#isSwapped;
    return copy;
  }

  get isStuck(): boolean {
    return this.pending.some(({ txId }) => txId === this.#first);
  }

  override async broadcast(prepared: PreparedPayment): Promise<BroadcastResult> {
    const result = await super.broadcast(prepared);
    if (this.pending.some(({ txId, from }) => txId === prepared.txId && from === "hot")) this.#first ??= prepared.txId;
    if (this.#first !== null) this.marketFee = RISEN_FEE;
    if (this.#end === "replaced") this.#swap();
    return result;
  }

  /** Undoes the block of the replacement, in which the old transaction then is. */
  reorganise(): void {
    const isMined = this.tip.transactions.some(({ from, txId }) => from === "hot" && txId !== this.#first);
    if (this.#end !== "swapped" || !isMined || this.#isSwapped) return;
    this.reorg(1, true);
    this.#swap();
  }

  #swap(): void {
    const old = this.replaced.find(({ txId }) => txId === this.#first);
    if (old === undefined || this.#isSwapped) return;
    this.#isSwapped = true;
    this.takeReplaced(old.txId);
  }
}

/** One order whose payment is stuck, by a process that may die at any point and is started again. */
export class StuckPayment {
  readonly chain: RisingChain;
  readonly #database: Database;

  private constructor(database: Database, chain: RisingChain) {
    this.chain = chain;
    this.#database = database;
  }

  /** Until the payment is stuck: a node has it, and blocks leave it out. */
  static async begin(database: Database, end: StuckEnd): Promise<StuckPayment> {
    const scenario = new StuckPayment(database, new RisingChain(end));
    const { chain } = scenario;
    const testEngine = await scenario.#engine(database, null);
    await testEngine.settle();
    const client = { key: "test", traceId: "test" };
    const { depositAddress } = await testEngine.engine.orderService.create(orderBody(), client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    for (let block = 0; block < TURNS && !chain.isStuck; block += 1) {
      chain.mine();
      await timePasses(database);
      await testEngine.settle();
    }
    return scenario;
  }

  /** The same stuck payment, on a chain of its own and a copy of the database. */
  continueIn(database: Database): StuckPayment {
    return new StuckPayment(database, this.chain.copy());
  }

  /** Runs until the payment is final, or until the process dies; returns the name of the point where it died, else null. */
  live(points: CrashPoints): Promise<string | null> {
    return runProcess(this.#database, points, async (database) => this.#live(await this.#engine(database, points)));
  }

  paid(): bigint[] {
    return this.chain.received("destination", "usdt-erc20");
  }

  /** The laws that this scenario broke. */
  async violations(): Promise<string[]> {
    const view = {
      delivered: async () => this.paid(),
      isDeep: async (txId: string, confirmations: number) => {
        const found = await this.chain.lookup(txId);
        return found.kind === "mined" && this.chain.tip.height - found.height + 1 >= confirmations;
      },
    };
    const broken = await violations(this.#database, view, CONFIRMATIONS);
    const { rows } = await sql<{ state: string; tx_id: string | null; fee: bigint | null; alive: number }>`
      select p.state, (select a.tx_id from payout_attempts a where a.payout_id = p.id and a.status = 'mined') as tx_id,
        (select count(*)::int from payout_attempts a where a.payout_id = p.id and a.status in ('prepared', 'broadcast'))
          + (select count(*)::int from payout_handles h where h.payout_id = p.id and h.released_at is null) as alive,
        (select e.amount from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
          join ledger_accounts c on c.id = e.account_id
          where t.kind = 'network_fee' and t.source_id = p.id::text and c.name = 'hot') as fee
      from payouts p`.execute(this.#database.kysely);
    const [payout] = rows;
    const sent = this.chain.blocks.flatMap(({ transactions }) => transactions.filter(({ from }) => from === "hot"));
    if (rows.length !== 1 || payout?.state !== "final" || payout.alive !== 0)
      broken.push(`the payment ended as ${JSON.stringify(rows)}`);
    if (sent.length !== 1) broken.push(`${sent.length} payments are in the chain`);
    if (payout?.tx_id !== sent[0]?.txId) broken.push("another transaction is booked than the one that was mined");
    if (payout?.fee !== sent[0]?.fee) broken.push(`a fee of ${payout?.fee} is booked, and ${sent[0]?.fee} was paid`);
    return broken;
  }

  #engine(database: Database, points: CrashPoints | null): Promise<TestEngine> {
    const [reader, wallet] = [points?.reader(this.chain) ?? this.chain, points?.wallet(this.chain) ?? this.chain];
    return createTestEngine({ database, reader, wallet, ...(points && { probe: points.probe }) });
  }

  async #live(testEngine: TestEngine): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await timePasses(this.#database, { replacements: true });
      await testEngine.settle();
      const payout = await this.#database.kysely.selectFrom("payouts").select("state").executeTakeFirst();
      if (payout?.state === "final") return;
      this.chain.mine();
      this.chain.reorganise();
    }
    throw new Error("the scenario did not end");
  }
}
