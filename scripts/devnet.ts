import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createLog } from "../server/base/logging/log.ts";
import { startLitecoin } from "../server/devnet/bitcoin/node.ts";
import { loadOrCreateSandboxKeys } from "../server/devnet/evm/keys.ts";
import { stopLeftoverNode } from "../server/devnet/evm/node.ts";
import { startMonero } from "../server/devnet/monero/node.ts";
import { freePort } from "./lib/free-port.ts";
import { findProgram, LITECOIND, MONEROD, MONERO_WALLET, type Program } from "./lib/programs.ts";
import { root } from "./lib/run.ts";

type Node = { env: Record<string, string>; versions: string[]; stop(): Promise<void> };

const LITECOIN_BLOCK_MS = 2_500;
/** Mining a block costs monerod a tenth of a second of work. */
const MONERO_BLOCK_MS = 2_000;
/** The server drains within this time, then the nodes stop within theirs: everything ends in less than 15 s. */
const SERVER_STOP_TIMEOUT_MS = 7_000;
const ANVIL_STOP_TIMEOUT_MS = 4_000;

const dataDir = resolve(process.env["DATA_DIR"] ?? ".data");
const log = createLog({ level: "warn" });
const folderOf = (name: string): string => join(dataDir, "devnet", name);

const NODES: { title: string; programs: Program[]; start(paths: string[]): Promise<Node> }[] = [
  { title: "Litecoin", programs: [LITECOIND], start: litecoin },
  { title: "Monero", programs: [MONEROD, MONERO_WALLET], start: monero },
];

process.exitCode = await main();

/** Starts the nodes that are installed, then the server over them; the sandbox simulates the networks whose node is missing. */
async function main(): Promise<number> {
  const running: Node[] = [];
  let isServing = false;
  // A node may need minutes for its first blocks: a stop doesn't wait for them. Exiting ends the node that is starting.
  const stopEarly = () => {
    if (!isServing) void Promise.all(running.map((node) => node.stop())).then(() => process.exit(1));
  };
  process.on("SIGTERM", stopEarly).on("SIGINT", stopEarly);
  try {
    for (const { title, programs, start } of NODES) {
      const paths = programs.flatMap((program) => findProgram(program) ?? []);
      if (paths.length < programs.length) reportMissing(title, programs);
      else running.push(await start(paths));
    }
    for (const { versions } of running) console.log(versions.join("\n"));
    isServing = true;
    return await serve(Object.assign({}, process.env, { SANDBOX: "on" }, ...running.map((node) => node.env)));
  } finally {
    await Promise.all([stopLeftoverNode(dataDir, log, ANVIL_STOP_TIMEOUT_MS), ...running.map((node) => node.stop())]);
  }
}

/** Runs the server until it ends; one that does not stop in time after a signal is killed. Resolves to its exit code. */
async function serve(env: NodeJS.ProcessEnv): Promise<number> {
  const server = spawn(process.execPath, ["scripts/start.ts"], { cwd: root, env, stdio: "inherit" });
  const stop = (signal: NodeJS.Signals) => {
    // The terminal has already sent a Ctrl-C to the server.
    if (signal === "SIGTERM") server.kill("SIGTERM");
    setTimeout(() => server.kill("SIGKILL"), SERVER_STOP_TIMEOUT_MS).unref();
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  await once(server, "exit");
  return server.exitCode ?? 1;
}

function reportMissing(title: string, programs: Program[]): void {
  const missing = programs.filter((program) => findProgram(program) === null);
  const titles = missing.map((program) => program.title).join(" and ");
  const packages = [...new Set(missing.map((program) => program.debianPackage))].join(" ");
  console.log(`${title} is simulated: ${titles} is missing. On Debian: apt-get install ${packages}`);
}

async function litecoin([program = ""]: string[]): Promise<Node> {
  const { mnemonic } = await loadOrCreateSandboxKeys(dataDir);
  return startLitecoin({
    program,
    folder: folderOf("litecoin"),
    port: await freePort(),
    mnemonic,
    blockMs: LITECOIN_BLOCK_MS,
    log,
  });
}

async function monero([daemonProgram = "", walletProgram = ""]: string[]): Promise<Node> {
  return startMonero({
    programs: { daemon: daemonProgram, wallet: walletProgram },
    folder: folderOf("monero"),
    ports: {
      daemon: await freePort(),
      p2p: await freePort(),
      announcements: await freePort(),
      zmq: await freePort(),
      hot: await freePort(),
      view: await freePort(),
      customer: await freePort(),
    },
    outputs: { hot: 140, customer: 20 },
    blockMs: MONERO_BLOCK_MS,
    log,
  });
}
