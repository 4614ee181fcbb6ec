import { sql } from "kysely";
import type { BroadcastResult, Lookup, PreparedPayment } from "../../../server/chains/port.ts";
import type { Database } from "../../../server/db/database.ts";
import { violations } from "../checkers/checkers.ts";
import type { CrashPoints } from "./crash-points.ts";
import { runProcess, timePasses } from "./dying-process.ts";
import { FakeChain, isEmpty } from "../chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const CONFIRMATIONS = 3;
const TURNS = 22;

/** A node that refuses the first payment; where it `leaks`, miners have the payment all the same and the node doesn't know. */
class RefusingChain extends FakeChain {
  readonly #leaks: boolean;
  #refused: string | null = null;

  constructor(leaks: boolean) {
    super();
    this.#leaks = leaks;
    this.mine(2);
  }

  /** Goes on where this one is now, without changing it. */
  copy(): RefusingChain {
    const copy = new RefusingChain(this.#leaks).continueFrom(this);
    copy.#refused = this.#refused;
    return copy;
  }

  override async broadcast(prepared: PreparedPayment): Promise<BroadcastResult> {
    if (!isEmpty(prepared.raw)) this.#refused ??= prepared.txId;
    if (prepared.txId !== this.#refused) return super.broadcast(prepared);
    if (this.#leaks) await super.broadcast(prepared);
    return { kind: "refused", reason: "exceeds block gas limit" };
  }

  override async lookup(txId: string): Promise<Lookup> {
    const found = await super.lookup(txId);
    return txId === this.#refused && found.kind === "pending" ? { kind: "absent" } : found;
  }
}

/** Two orders; the payment of the first is refused, by a process that may die at any point and is started again. */
export class RefusedPayment {
  readonly chain: RefusingChain;
  readonly #database: Database;

  private constructor(database: Database, chain: RefusingChain) {
    this.chain = chain;
    this.#database = database;
  }

  static async begin(database: Database, leaks: boolean): Promise<RefusedPayment> {
    const scenario = new RefusedPayment(database, new RefusingChain(leaks));
    const testEngine = await scenario.#engine(database, null);
    await testEngine.settle();
    for (const destinationAddress of ["refused", "behind"]) {
      const { depositAddress } = await testEngine.engine.orderService.create(orderBody({ destinationAddress }), {
        key: "test",
        traceId: "test",
      });
      scenario.chain.deposit(depositAddress, "eth", HALF_ETH);
      // One after the other, so that the first has the lower nonce.
      await scenario.#live(testEngine, 3);
      if (destinationAddress === "refused") await scenario.#live(testEngine, 1);
    }
    return scenario;
  }

  /** The same refused payment, on a chain of its own and a copy of the database. */
  continueIn(database: Database): RefusedPayment {
    return new RefusedPayment(database, this.chain.copy());
  }

  /** Runs until nothing changes any more, or until the process dies; returns the name of the point where it died, else null. */
  live(points: CrashPoints): Promise<string | null> {
    return runProcess(this.#database, points, async (database) =>
      this.#live(await this.#engine(database, points), TURNS),
    );
  }

  paid(): { refused: bigint[]; behind: bigint[] } {
    const of = (address: string) => this.chain.received(address, "usdt-erc20");
    return { refused: of("refused"), behind: of("behind") };
  }

  async payouts(): Promise<{ to_address: string; state: string; reserved: boolean }[]> {
    const { rows } = await sql<{ to_address: string; state: string; reserved: boolean }>`
      select to_address, state, exists (
        select 1 from payout_handles h where h.payout_id = p.id and h.released_at is null) as reserved
      from payouts p order by to_address desc`.execute(this.#database.kysely);
    return rows;
  }

  async violations(): Promise<string[]> {
    const orders = await this.#database.kysely.selectFrom("payouts").select(["order_id", "to_address"]).execute();
    const addressOf = new Map(orders.map((row) => [row.order_id, row.to_address]));
    const view = {
      delivered: async (id: string) => this.chain.received(addressOf.get(id) ?? "", "usdt-erc20"),
      isDeep: async (txId: string, confirmations: number) => {
        const found = await this.chain.lookup(txId);
        return found.kind === "mined" && this.chain.tip.height - found.height + 1 >= confirmations;
      },
    };
    const nonces = this.chain.blocks.flatMap(({ transactions }) =>
      transactions.flatMap(({ from, nonce }) => (from === "hot" ? [nonce] : [])),
    );
    const repeated = nonces.length === new Set(nonces).size ? [] : [`nonces were used twice: ${nonces.join()}`];
    return [...(await violations(this.#database, view, CONFIRMATIONS)), ...repeated];
  }

  #engine(database: Database, points: CrashPoints | null): Promise<TestEngine> {
    const [reader, wallet] = [points?.reader(this.chain) ?? this.chain, points?.wallet(this.chain) ?? this.chain];
    return createTestEngine({ database, reader, wallet, ...(points && { probe: points.probe }) });
  }

  async #live(testEngine: TestEngine, turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) {
      await timePasses(this.#database);
      await testEngine.settle();
      if (turns === TURNS && (await this.#isOver())) return;
      this.chain.mine();
    }
  }

  async #isOver(): Promise<boolean> {
    const [refused, behind] = await this.payouts();
    return behind?.state === "final" && refused?.reserved === false && refused.state !== "broadcast";
  }
}
