import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../../server/base/logging/log.ts";
import { DEVNET_CHAIN_ID, startEvmDevnet, type EvmDevnet } from "../../../server/devnet/evm/devnet.ts";
import { depositXpub, hotAccount } from "../../../server/chains/evm/keys.ts";
import { freshDatabase, type TestDatabase } from "../database/database.ts";
import { DevnetRpc } from "../chains/devnet-rpc.ts";
import { RedisServer } from "./redis-server.ts";
import { freePort } from "../../../scripts/lib/free-port.ts";
import { ServerProcess } from "./server-process.ts";

const MNEMONIC = "test test test test test test test test test test test junk";

/** Two webs and two workers, real processes, on one PostgreSQL, one Redis or none, and one Ethereum node that belongs to none of them. */
export class ProcessGroup {
  readonly database: TestDatabase;
  readonly #redis: RedisServer | null;
  readonly devnet: DevnetRpc;
  readonly webs: readonly ServerProcess[];
  readonly workers: readonly ServerProcess[];
  readonly #node: EvmDevnet;
  readonly #folder: string;

  private constructor(
    stands: { database: TestDatabase; redis: RedisServer | null; node: EvmDevnet; folder: string },
    processes: { webs: ServerProcess[]; workers: ServerProcess[] },
  ) {
    this.database = stands.database;
    this.#redis = stands.redis;
    this.devnet = new DevnetRpc(stands.node.rpcUrl);
    this.webs = processes.webs;
    this.workers = processes.workers;
    this.#node = stands.node;
    this.#folder = stands.folder;
  }

  get redis(): RedisServer {
    if (this.#redis === null) throw new Error("these processes have no Redis");
    return this.#redis;
  }

  /** `web` adds to the environment of the webs. */
  static async start(web: Record<string, string> = {}, { hasRedis = true } = {}): Promise<ProcessGroup> {
    const folder = await mkdtemp(join(tmpdir(), "wherry-processes-"));
    const log = createLog({ level: "silent" });
    const hotAddress = hotAccount(MNEMONIC).address;
    const [database, redis, node] = await Promise.all([
      freshDatabase(),
      hasRedis ? RedisServer.start() : null,
      startEvmDevnet({ dataDir: folder, port: await freePort(), log, hotAddress }),
    ]);
    const shared = {
      DATABASE_URL: database.url,
      ...(redis !== null && { REDIS_URL: redis.url }),
      EVM_RPC_URL: node.rpcUrl,
      EVM_CHAIN_ID: `${DEVNET_CHAIN_ID}`,
    };
    const worker = () => ServerProcess.start({ ...shared, ROLES: "worker", EVM_MNEMONIC: MNEMONIC });
    const webOf = () => ServerProcess.start({ ...shared, ROLES: "web", EVM_XPUB: depositXpub(MNEMONIC), ...web });
    // The first one creates the simulated networks; the others find them.
    const first = await worker();
    const started = [
      { status: "fulfilled" as const, value: first },
      ...(await Promise.allSettled([worker(), webOf(), webOf()])),
    ];
    const [one, two, three, four] = started.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    if (one === undefined || two === undefined || three === undefined || four === undefined) {
      for (const start of started) if (start.status === "fulfilled") await start.value.end();
      throw new AggregateError(started.flatMap((start) => (start.status === "rejected" ? [start.reason] : [])));
    }
    return new ProcessGroup({ database, redis, node, folder }, { workers: [one, two], webs: [three, four] });
  }

  async end(): Promise<void> {
    await Promise.all([...this.webs, ...this.workers].map((server) => server.end()));
    await this.#node.stop();
    await this.#redis?.[Symbol.asyncDispose]();
    await this.database.drop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
