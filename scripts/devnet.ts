import { join, resolve } from "node:path";
import { createLog } from "../server/base/log.ts";
import { loadOrCreateSandboxKeys } from "../server/devnet/evm/keys.ts";
import { startLitecoin } from "../server/devnet/bitcoin/node.ts";
import { startMonero } from "../server/devnet/monero/node.ts";
import { freePort } from "./lib/free-port.ts";
import { findProgram, LITECOIND, MONEROD, MONERO_WALLET, type Program } from "./lib/programs.ts";
import { runNode } from "./lib/run.ts";

type Node = { env: Record<string, string>; versions: string[]; stop(): Promise<void> };

const LITECOIN_BLOCK_MS = 2_500;
/** Making a block costs monerod a tenth of a second of work. */
const MONERO_BLOCK_MS = 2_000;
const dataDir = resolve(process.env["DATA_DIR"] ?? ".data");
const folderOf = (name: string): string => join(dataDir, "devnet", name);

const NODES: { title: string; programs: Program[]; start(): Promise<Node> }[] = [
  { title: "Litecoin", programs: [LITECOIND], start: litecoin },
  { title: "Monero", programs: [MONEROD, MONERO_WALLET], start: monero },
];

process.exitCode = await main();

/** Starts the nodes that are installed, then the server over them; the sandbox plays the networks whose node is missing. */
async function main(): Promise<number> {
  const running: Node[] = [];
  let isServing = false;
  // A node may need minutes for its first blocks: whoever stops the start doesn't wait for them. Exiting ends the node that is starting.
  const stopSoon = () => {
    if (!isServing) void Promise.all(running.map((node) => node.stop())).then(() => process.exit(1));
  };
  process.on("SIGTERM", stopSoon).on("SIGINT", stopSoon);
  try {
    for (const { title, programs, start } of NODES) {
      const missing = programs.filter((program) => findProgram(program) === null);
      if (missing.length > 0) tellMissing(title, missing);
      else running.push(await start());
    }
    for (const { versions } of running) console.log(versions.join("\n"));
    isServing = true;
    const env = Object.assign({}, process.env, { SANDBOX: "on" }, ...running.map((node) => node.env));
    return await runNode(["scripts/start.ts"], { env });
  } finally {
    await Promise.all(running.map((node) => node.stop()));
  }
}

function tellMissing(title: string, missing: Program[]): void {
  const titles = missing.map((program) => program.title).join(" and ");
  const packages = [...new Set(missing.map((program) => program.debianPackage))].join(" ");
  console.log(`${title} is only played: ${titles} is missing. On Debian: apt-get install ${packages}`);
}

async function litecoin(): Promise<Node> {
  const { mnemonic } = await loadOrCreateSandboxKeys(dataDir);
  return startLitecoin({
    folder: folderOf("litecoin"),
    port: await freePort(),
    mnemonic,
    blockMs: LITECOIN_BLOCK_MS,
    log: createLog({ level: "warn" }),
  });
}

async function monero(): Promise<Node> {
  const [daemon, p2p, hot, view, customer] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  return startMonero({
    folder: folderOf("monero"),
    ports: { daemon, p2p, hot, view, customer },
    outputs: { hot: 140, customer: 20 },
    blockMs: MONERO_BLOCK_MS,
    log: createLog({ level: "warn" }),
  });
}
