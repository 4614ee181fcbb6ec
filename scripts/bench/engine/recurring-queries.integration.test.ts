import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { Api } from "../../../tests/support/http/api.ts";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { DevnetRpc } from "../../../tests/support/chains/devnet-rpc.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { applicationFor, finish, HALF_ETH } from "../../../tests/support/scenarios/http-swap.ts";
import { recordSentQueries } from "../../../tests/support/database/sent-queries.ts";
import { freePort } from "../../lib/free-port.ts";
import { ServerProcess } from "../../../tests/support/processes/server-process.ts";
import { recurringWork } from "./recurring-work.ts";
import { openSizedDatabase } from "./sized-database.ts";

const RECORDER = fileURLToPath(new URL("../../../tests/support/database/sent-queries.ts", import.meta.url));
/** Each loop of the server has run in this time, also the slowest, which waits a minute. */
const IDLE_MS = 65_000;

vi.setConfig({ testTimeout: 400_000 });

const READS_ROWS = /^(select|insert|update|delete|with)\b/;
/** What is not in the benchmark, and why its plan can't depend on how many orders are finished. */
const EXCEPTIONS: readonly RegExp[] = [
  // Simulated networks and the sandbox's own tables.
  /\b(sandbox_\w+|simulated_\w+)\b/,
  // They read no table.
  /pg_(try_)?advisory|pg_notify|^select (1|now\(\)|pg_backend_pid)/,
];

/** Lists of values have any length. */
const normalised = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/\((\$(, ?)?)+\)/g, "($)")
    .replaceAll(/(\(\$\)(, ?)?)+/g, "($)")
    .toLowerCase();

const isExpected = (text: string): boolean => READS_ROWS.test(text) && EXCEPTIONS.every((kind) => !kind.test(text));
const missingFrom = (listed: ReadonlySet<string>, sent: Iterable<string>): string[] => [
  ...new Set([...sent].map(normalised).filter((text) => isExpected(text) && !listed.has(text))),
];

/** The queries of the benchmark's list, and of nothing else. */
async function listedQueries(): Promise<Set<string>> {
  const resources = new AsyncDisposableStack();
  onTestFinished(() => resources.disposeAsync());
  const own = await freshDatabase({ empty: true });
  resources.defer(() => own.drop());
  const sent = new Set<string>();
  // Before any connection, each of which keeps the function that it was made with.
  resources.defer(recordSentQueries((text) => sent.add(text)));
  const { engine } = await openSizedDatabase(resources, own.url, 100);
  sent.clear();
  for (const { run } of recurringWork(engine)) await run();
  return new Set([...sent].map(normalised));
}

/** What a real server sends after its start: while a whole swap is made, and while nobody does anything. */
async function sentByServer(): Promise<string[]> {
  const server = await ServerProcess.start({
    NODE_OPTIONS: `--import ${RECORDER}`,
    METRICS_PORT: `${await freePort()}`,
  });
  onTestFinished(() => server.end());
  const file = join(server.dataDir, "sent-queries");
  await server.term();
  await server.restart({ SENT_QUERIES_FILE: file });
  const lines = async () => (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const atStart = (await lines()).length;
  const api = new Api(server.url);
  const devnet = new DevnetRpc(server.rpcUrl);
  const order = await api.call("createOrder", await applicationFor(api));
  await devnet.pay(order.depositAddress, HALF_ETH);
  await finish(api, devnet, order);
  const idleFrom = performance.now();
  await eventually("every loop has run", () => performance.now() - idleFrom > IDLE_MS || null, 2 * IDLE_MS);
  return (await lines()).slice(atStart).map((line) => String(JSON.parse(line)));
}

it("every query that a server sends again and again is on the list that the benchmark checks", async () => {
  const listed = await listedQueries();
  expect(listed.size).toBeGreaterThan(150);
  const sent = await sentByServer();
  expect(sent.length).toBeGreaterThan(200);
  expect(missingFrom(listed, sent)).toEqual([]);
  // As of a loop that somebody adds.
  const added = "select count(*) from orders where completed_at > now() - interval '1 hour'";
  expect(missingFrom(listed, [...sent, added])).toEqual([added]);
});
