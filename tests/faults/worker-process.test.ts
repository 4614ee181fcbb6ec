import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import shipped from "../../server/catalogue/catalogue.json" with { type: "json" };
import { commandOfProcess } from "../../server/base/processes/process-identity.ts";
import { Api } from "../support/http/api.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { eventually } from "../support/eventually.ts";
import { applicationFor, finish, HALF_ETH, rateOf } from "../support/scenarios/http-swap.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { SwapProof } from "../support/checkers/swap-proof.ts";

const BUSY_MS = 2_000;
/** What a busy machine may add to the event loop of a process that has nothing to do with the fault. */
const WEB_LAG_SECONDS = 1;
const OUTPUTS = 20_000;

let server: ServerProcess;
let api: Api;
let metricsUrl: string;

beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  server = await ServerProcess.start({ METRICS_PORT: `${port}`, LOG_LEVEL: "warn", RATE_LIMIT_READS: "1000000" });
  api = new Api(server.url);
});
beforeEach(async () => {
  if (!server.isRunning) await server.restart();
});
afterAll(() => server.end());

function workerPid(): number {
  const pid = server.workerPid();
  if (pid === null) throw new Error("the server runs no worker process");
  return pid;
}

const health = async (): Promise<string> => (await api.call("health", {})).status;

async function metrics(...lines: string[]): Promise<(number | null)[]> {
  const page = (await (await fetch(metricsUrl)).text()).split("\n");
  return lines.map((line) => {
    const found = page.find((one) => one.startsWith(`${line} `));
    return found === undefined ? null : Number(found.split(" ").at(-1));
  });
}
const metric = async (line: string): Promise<number | null> => (await metrics(line))[0] ?? null;

/** The longest stall of each process's event loop since it was last asked, in seconds: each call begins anew. */
async function longestStalls(): Promise<{ web: number | null; worker: number | null }> {
  const lineOf = (role: string) => `nodejs_eventloop_lag_max_seconds{role="${role}"}`;
  const [web = null, worker = null] = await metrics(lineOf("web"), lineOf("worker"));
  return { web, worker };
}

/** How many calls are answered while `work` lasts. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const ended = work.finally(() => over.abort());
  let answered = 0;
  for (; !over.signal.aborted; answered += 1) await rateOf(api);
  await ended;
  return answered;
}

describe("a busy worker", () => {
  it("that does not answer at all delays no request", async () => {
    const pid = workerPid();
    await longestStalls();
    process.kill(pid, "SIGSTOP");
    try {
      expect(await answeredDuring(delay(BUSY_MS))).toBeGreaterThan(10);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect((await longestStalls()).web).toBeLessThan(WEB_LAG_SECONDS);
    expect(workerPid()).toBe(pid);
  });

  it(`alone reads a block of ${OUTPUTS} outputs: the web answers, and reads none of it, while the worker is stopped`, async () => {
    const client = new pg.Client({ connectionString: await server.databaseUrl() });
    await client.connect();
    const isFollowed = async () => {
      const { rows } = await client.query(`
        select from chain_tail t join sandbox_transactions s using (network)
        where s.network = 'LTC' and s.tx_id = 'large' and t.height = s.block_height`);
      return rows.length > 0 || null;
    };
    const pid = workerPid();
    try {
      await longestStalls();
      process.kill(pid, "SIGSTOP");
      // One statement: the chain may take the transaction at any moment.
      await client.query(`
        with large as (insert into sandbox_transactions (network, tx_id, fee) values ('LTC', 'large', 0) returning network, tx_id)
        insert into sandbox_outputs (network, tx_id, output_index, address, slug, amount)
        select network, tx_id, n, 'ltc1-stranger-' || n, 'ltc', 1 from large, generate_series(1, ${OUTPUTS}) as n`);
      await api.call("sandboxNetwork", { params: { networkTitle: "LTC" }, body: { mine: 1 } });
      expect(await answeredDuring(delay(BUSY_MS))).toBeGreaterThan(10);
      expect(await isFollowed()).toBeNull();
      process.kill(pid, "SIGCONT");
      await answeredDuring(eventually("the block is followed", isFollowed));
    } finally {
      process.kill(pid, "SIGCONT");
      await client.end();
    }
    const { web, worker } = await longestStalls();
    console.log(`  longest stall of an event loop: web ${web} s, worker ${worker} s`);
    expect(web).toBeLessThan(WEB_LAG_SECONDS);
  });
});

describe("kill -9", () => {
  it("of the worker: pages and calls go on, health says so, and the worker that follows finishes the swap", async () => {
    const devnet = new DevnetRpc(server.rpcUrl);
    const proof = new SwapProof(server, devnet);
    const application = await applicationFor(api);
    const pid = workerPid();
    process.kill(pid, "SIGKILL");
    await eventually("health says so", async () => (await health()) === "TECHNICAL_DIFFICULTIES" || null);
    expect(await metric("worker_process_up")).toBe(0);
    const order = await api.call("createOrder", application);
    await devnet.pay(order.depositAddress, HALF_ETH);

    await eventually("the worker is back", async () => (await health()) === "OK" || null);
    expect(workerPid()).not.toBe(pid);
    expect(await metric("worker_process_up")).toBe(1);
    expect(await metric("worker_process_restarts_total")).toBe(1);
    expect(server.output.filter((line) => line.includes("will be restarted"))).toHaveLength(1);
    await proof.expectPaidOnce(await finish(api, devnet, order));
  });

  it("of the server ends its worker, and the next start has one of its own", async () => {
    const pid = workerPid();
    await server.kill9();
    await eventually("the worker ends", () => commandOfProcess(pid) === null || null);
    await server.restart();
    expect(workerPid()).not.toBe(pid);
  });
});

describe("a start that fails in the worker", () => {
  it("ends the server, which says why", async () => {
    const failed = ServerProcess.start({ CATALOGUE_FILE: "/nowhere/catalogue.json" });
    await expect(failed).rejects.toThrow(/the server ended instead of starting:[^]*\/nowhere\/catalogue\.json/);
  });
});

describe("a start with a catalogue of low fees", () => {
  it("warns of fixed rates that bear more than twice their fee", async () => {
    const file = join(server.dataDir, "low-fees.json");
    await writeFile(file, JSON.stringify({ ...shipped, pairDefaults: { ...shipped.pairDefaults, fixedFeeBps: 100 } }));
    const warnings = () => server.output.filter((line) => line.includes("fixed rates bear more than twice their fee"));
    expect(warnings()).toEqual([]);
    await server.term();
    await server.restart({ CATALOGUE_FILE: file });
    expect(warnings()).not.toEqual([]);
  });
});

describe("SIGTERM", () => {
  it("of both, as a terminal or a service manager sends it, stops them in order", async () => {
    const pid = workerPid();
    process.kill(pid, "SIGTERM");
    expect(await health()).toBe("OK");
    expect(await server.term()).toBe(0);
    expect(commandOfProcess(pid)).toBeNull();
    expect([server.nodePid(), server.postgresPid()]).toEqual([null, null]);
  });
});

describe("WORKER_PROCESS=off", () => {
  it("runs both roles in one process", async () => {
    if (server.isRunning) await server.term();
    await server.restart({ WORKER_PROCESS: "off" });
    expect(server.workerPid()).toBeNull();
    expect(await health()).toBe("OK");
    await server.term();
    await server.restart({ WORKER_PROCESS: "on" });
  });
});
