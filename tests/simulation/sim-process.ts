import { MINUTE_MS } from "#contract/durations.ts";
import type { NetworkReader } from "../../server/chains/port.ts";
import { CommitUnknownError, type TransactionProbe } from "../../server/db/transaction.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { cutConnections } from "../support/scenarios/dying-process.ts";
import { createTestEngine, type TestEngine } from "../support/scenarios/test-engine.ts";
import type { FaultLog } from "./faults.ts";
import { Gate, type GatePoint } from "./gate.ts";
import type { SimRates } from "./market.ts";
import type { Random } from "./random.ts";
import type { SimNode } from "./sim-node.ts";
import type { Catalogue } from "../../server/catalogue/index.ts";
import type { Ids } from "../../server/orders/creation/ids.ts";

export type ProcessParts = {
  name: string;
  databaseUrl: string;
  admin: Database;
  nodes: readonly SimNode[];
  rates: SimRates;
  catalogue: Catalogue;
  ids: Ids;
  now: () => Date;
  random: Random;
  faultLog: FaultLog;
  /** Lets others act while this process is at a gate outside of transactions. */
  meanwhile(process: SimProcess): Promise<void>;
  /** Called with every error that the engine logs. */
  onError(line: string): void;
};

/** What a process calls the rest of the server with. */
export type Inside = { database: Database; probe: TransactionProbe; readers: ReadonlyMap<string, NetworkReader> };

/** The share of gates at which something happens. */
const CRASH = 0.0008;
/** More, since it makes far fewer calls: one that never died would prove nothing. */
const WEB_CRASH = 0.004;
const LOST_COMMIT = 0.002;
const CLOCK_JUMP = 0.0005;

/** One server process: the real engine, which can die at any gate with everything it has in memory, and be started again. */
export class SimProcess {
  /** Whether it crashes and loses replies; false once the faults have stopped. */
  isFaulty = true;
  /** Milliseconds by which its clock is off. */
  skew = 0;
  readonly nodes: readonly SimNode[];
  readonly #parts: ProcessParts;
  #database: Database;
  #running: { testEngine: TestEngine; inside: Inside } | null = null;
  #incarnation = 0;
  #deathInTransaction = false;
  #died = Promise.withResolvers<"died">();

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.nodes = parts.nodes;
    this.#database = this.#open();
  }

  /** Runs one piece of work in this process; "died" when the process crashed over it. It is started again at once. */
  async run<T>(work: (testEngine: TestEngine, inside: Inside) => Promise<T>): Promise<{ done: T } | "died"> {
    const { testEngine, inside } = (this.#running ??= await this.#start());
    const result = await Promise.race([work(testEngine, inside).then((done) => ({ done })), this.#died.promise]);
    if (result === "died") await this.#bury();
    return result;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  #open(): Database {
    const log = createLog({ level: "silent" });
    return openDatabase(this.#parts.databaseUrl, { max: 3, log, applicationName: this.#name });
  }

  get #name(): string {
    return `${this.#parts.name}-${this.#incarnation}`;
  }

  async #start(): Promise<{ testEngine: TestEngine; inside: Inside }> {
    const died = (this.#died = Promise.withResolvers<"died">());
    let isDead = false;
    const gate = new Gate(async (point) => {
      if (!isDead && !(await this.#pass(point))) return;
      if (!isDead) {
        isDead = true;
        this.#deathInTransaction = point === "before commit";
        died.resolve("died");
      }
      await new Promise<never>(() => undefined);
    });
    const [first, ...others] = this.nodes.map((node) => {
      const wrapped = gate.wrap(node);
      return { reader: wrapped, wallet: wrapped };
    });
    if (first === undefined) throw new Error("a process needs a network");
    const { rates, catalogue, ids, onError } = this.#parts;
    const networks = [first, ...others];
    const inside = {
      database: this.#database,
      probe: gate.probe,
      readers: new Map(networks.map(({ reader }) => [reader.networkTitle, reader])),
    };
    const testEngine = await createTestEngine({
      database: this.#database,
      ...first,
      others,
      catalogue,
      rates,
      ids,
      now: () => new Date(this.#parts.now().getTime() + this.skew),
      probe: gate.probe,
      log: createLog({ level: "error", destination: { write: onError } }),
    });
    return { testEngine, inside };
  }

  /** True when the process dies here. */
  async #pass(point: GatePoint): Promise<boolean> {
    const { random, faultLog } = this.#parts;
    if (!this.isFaulty) return false;
    if (random.chance(this.#parts.name === "web" ? WEB_CRASH : CRASH)) {
      if (this.#parts.name === "web") faultLog.record("crash of the web process");
      else if (point === "call") faultLog.record("crash outside a transaction");
      else faultLog.record(point === "before commit" ? "crash before a commit" : "crash after a commit");
      return true;
    }
    if (random.chance(CLOCK_JUMP)) {
      this.skew = random.pick([-10, -3, 4, 10]) * MINUTE_MS;
      faultLog.record("clock of a worker jumps amid its work");
    }
    if (point === "call") await this.#parts.meanwhile(this);
    else if (random.chance(LOST_COMMIT)) {
      faultLog.record(point === "before commit" ? "commit lost" : "commit done, reply lost");
      throw new CommitUnknownError("the reply to COMMIT was lost");
    }
    return false;
  }

  /** What was in memory is gone; what was not committed is rolled back, because the database cuts a dead process's connections. */
  async #bury(): Promise<void> {
    this.#running = null;
    if (!this.#deathInTransaction) return;
    const dead = this.#database;
    // Of this simulation only, and waited for: what the dead process had locked is free for the next one.
    await cutConnections(this.#parts.admin, this.#name);
    dead.pool.end().catch((error: unknown) => dead.log.debug({ err: error }, "a dead process's pool"));
    this.#incarnation += 1;
    this.#database = this.#open();
  }
}
