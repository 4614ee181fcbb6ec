import { sql } from "kysely";
import { createLog } from "../../server/base/log.ts";
import type { BroadcastResult, Lookup, PreparedPayment } from "../../server/chains/port.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { violations } from "./checkers.ts";
import type { CrashPoints } from "./crash-points.ts";
import { FakeChain, isEmpty } from "./fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";

const HALF_ETH = 5n * 10n ** 17n;
const CONFIRMATIONS = 3;
const TURNS = 22;
const log = createLog({ level: "silent" });

/** A node that refuses the first payment; where it `leaks`, miners have the payment all the same and the node doesn't know. */
class RefusingChain extends FakeChain {
  readonly #leaks: boolean;
  #refused: string | null = null;

  constructor(leaks: boolean) {
    super();
    this.#leaks = leaks;
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
  #processes = 0;

  constructor(database: Database, leaks: boolean) {
    this.chain = new RefusingChain(leaks);
    this.chain.mine(2);
    this.#database = database;
  }

  async begin(): Promise<void> {
    const testEngine = await this.#engine(this.#database, null);
    await testEngine.settle();
    for (const destinationAddress of ["refused", "behind"]) {
      const { depositAddress } = await testEngine.engine.orderService.create(orderBody({ destinationAddress }), {
        key: "test",
        traceId: "test",
      });
      this.chain.deposit(depositAddress, "eth", HALF_ETH);
      // One after the other, so that the first has the lower nonce.
      await this.#live(testEngine, 3);
      if (destinationAddress === "refused") await this.#live(testEngine, 1);
    }
  }

  /** Runs until nothing changes any more, or until the process dies; returns the name of the point where it died, else null. */
  async live(points: CrashPoints): Promise<string | null> {
    this.#processes += 1;
    const name = `refused-payment-${this.#processes}`;
    const database = openDatabase(this.#database.url, { max: 4, log, applicationName: name });
    const testEngine = await this.#engine(database, points);
    const died = await Promise.race([points.crashed, this.#live(testEngine, TURNS).then(() => null)]);
    if (died === null) await database.close();
    else {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(
        this.#database.kysely,
      );
      database.pool.end().catch((error: unknown) => log.debug({ err: error }, "a dead process's pool"));
    }
    return died;
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
      for (const table of ["orders", "payouts"] as const) {
        await this.#database.kysely
          .updateTable(table)
          .set({ next_attempt_at: new Date(0) })
          .where("next_attempt_at", "is not", null)
          .execute();
      }
      await this.#database.kysely.updateTable("payouts").set({ resend_at: null }).execute();
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
