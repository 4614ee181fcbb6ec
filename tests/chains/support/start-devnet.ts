import { createLog } from "../../../server/base/logging/log.ts";
import { loadOrCreateSandboxKeys } from "../../../server/devnet/evm/keys.ts";
import { startEvmDevnet } from "../../../server/devnet/evm/devnet.ts";

/** Starts a devnet as a server does, and runs until it is killed. */
const [dataDir, port] = process.argv.slice(2);
if (dataDir === undefined || port === undefined) throw new Error("usage: start-devnet.ts DATA_DIR PORT");
const { hotAddress } = await loadOrCreateSandboxKeys(dataDir);
const devnet = await startEvmDevnet({ dataDir, port: Number(port), log: createLog({ level: "silent" }), hotAddress });
process.stdout.write(`${JSON.stringify(devnet.contracts)}\n`);
setInterval(() => devnet.rpcUrl, 1_000);
