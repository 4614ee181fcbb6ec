import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hex } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { freePort } from "../../scripts/lib/free-port.ts";
import { startOfProcess } from "../../server/base/processes/process-identity.ts";
import { heightSchema, quantitySchema } from "../../server/chains/evm/schemas.ts";
import { decodeBalanceOf, encodeBalanceOf } from "../../server/chains/evm/erc20.ts";
import { loadOrCreateSandboxKeys } from "../../server/devnet/evm/keys.ts";
import { createEvmRpc } from "../../server/chains/evm/rpc.ts";
import { DEVNET_CHAIN_ID, startEvmDevnet, type EvmDevnet } from "../../server/devnet/evm/devnet.ts";
import { openEthereum } from "../../server/devnet/evm/open.ts";
import { noDatabase } from "../support/database/no-database.ts";
import { hex, log } from "./support/evm.ts";
import { until } from "./support/until.ts";

const STARTER = fileURLToPath(new URL("./support/start-devnet.ts", import.meta.url));
const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const MILLION = 1_000_000n;

let dataDir: string;
let port: number;
let opened: EvmDevnet | null = null;

const folder = () => join(dataDir, "devnet-evm");
const start = async (atPort = port): Promise<EvmDevnet> => {
  const { hotAddress } = await loadOrCreateSandboxKeys(dataDir);
  opened = await startEvmDevnet({ dataDir, port: atPort, log, hotAddress });
  return opened;
};
const ask = <Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>) =>
  createEvmRpc(`http://127.0.0.1:${port}`, 5_000).call(method, params, answer);
const nodePid = async () =>
  z.object({ pid: z.int() }).parse(JSON.parse(await readFile(join(folder(), "node.json"), "utf8"))).pid;
const hashAt = async (height: Hex) =>
  (await ask("eth_getBlockByNumber", [height, false], z.object({ hash: hex }))).hash;
const balanceOf = async (contract: string | undefined, owner: string) =>
  contract === undefined
    ? ask("eth_getBalance", [owner, "latest"], quantitySchema)
    : decodeBalanceOf(await ask("eth_call", [{ to: contract, data: encodeBalanceOf(owner as Hex) }, "latest"], hex));
const isMined = async (txId: string) =>
  (await ask("eth_getTransactionReceipt", [txId], z.object({}).nullable())) !== null;
const holds = async (file: string, text: string) => {
  try {
    return (await readFile(join(folder(), file), "utf8")).includes(text);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
};
const killNode = async () => {
  const pid = await nodePid();
  process.kill(pid, "SIGKILL");
  await until("the killed node is gone", () => startOfProcess(pid) === null);
};
/** Pays, and waits until the payment stands in a block and in this file. */
const payInto = async (devnet: EvmDevnet, file: string, amount: bigint) => {
  const txId = await devnet.pay({ to: TO, slug: "usdt-erc20", amount });
  await until("the payment is mined", () => isMined(txId));
  await until(`${file} holds the payment`, () => holds(file, txId));
  return txId;
};

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "wherry-devnet-"));
  port = await freePort();
});
afterEach(async () => {
  await opened?.stop();
  opened = null;
  await rm(dataDir, { recursive: true, force: true });
});

describe("a new devnet", () => {
  it("pays many at once, each by a transaction of its own", async () => {
    const devnet = await start();
    const paid = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        devnet.pay({ to: TO, slug: n % 2 === 0 ? "eth" : "usdt-erc20", amount: BigInt(n + 1) }),
      ),
    );
    expect(new Set(paid).size).toBe(120);
    await devnet.mine(1);
    expect(await balanceOf(devnet.contracts["usdt-erc20"], TO)).toBe(3_660n);
  });

  it("is read through every node that the sandbox is configured with", async () => {
    const { rpcUrl, contracts } = await start();
    const otherRpcUrls = ["http://127.0.0.1:1"];
    const mnemonic = "test test test test test test test test test test test junk";
    const evm = { rpcUrl, otherRpcUrls, chainId: DEVNET_CHAIN_ID, xpub: null, mnemonic, devnetPort: port };
    const options = { evm, dataDir, sandbox: true, roles: { worker: true } };
    const ethereum = await openEthereum(options, log, noDatabase());
    expect(ethereum).toMatchObject({ rpcUrl, otherRpcUrls, contracts: new Map(Object.entries(contracts)) });
  });

  it("has its tokens, a rich treasury and ten unlocked accounts, and spends from none of the last five", async () => {
    const devnet = await start();
    const { hotAddress } = await loadOrCreateSandboxKeys(dataDir);
    expect(Object.keys(devnet.contracts)).toEqual(["usdt-erc20", "usdc-erc20", "dai-erc20"]);
    const decimals = { "usdt-erc20": 6n, "usdc-erc20": 6n, "dai-erc20": 18n };
    for (const [slug, count] of Object.entries(decimals)) {
      const contract = devnet.contracts[slug];
      expect(await ask("eth_call", [{ to: contract, data: "0x313ce567" }, "latest"], quantitySchema)).toBe(count);
      expect(await balanceOf(contract, hotAddress)).toBeGreaterThanOrEqual(MILLION * 10n ** count);
    }
    expect(await balanceOf(undefined, hotAddress)).toBeGreaterThanOrEqual(2_000n * 10n ** 18n);

    await devnet.pay({ to: TO, slug: "eth", amount: 5n });
    await devnet.pay({ to: TO, slug: "dai-erc20", amount: 6n });
    await until("both are mined by the clock", async () => (await balanceOf(devnet.contracts["dai-erc20"], TO)) === 6n);
    expect(await balanceOf(undefined, TO)).toBe(5n);

    const accounts = await ask("eth_accounts", [], z.array(hex));
    expect(accounts).toHaveLength(10);
    for (const account of accounts.slice(5)) {
      expect(await ask("eth_getTransactionCount", [account, "latest"], heightSchema)).toBe(0);
      expect(await balanceOf(undefined, account)).toBe(MILLION * 10n ** 18n);
    }
    await ask("eth_sendTransaction", [{ from: accounts[9], to: TO, value: "0x1" }], hex);
  });

  it("keeps its tokens and funds through the deepest reorg", async () => {
    const devnet = await start();
    const { hotAddress } = await loadOrCreateSandboxKeys(dataDir);
    const before = await hashAt(`0x${((await devnet.mine(1)) - 1).toString(16)}`);
    const height = await devnet.reorg(64);
    expect(await hashAt(`0x${(height - 2).toString(16)}`)).not.toBe(before);
    for (const contract of Object.values(devnet.contracts))
      expect(await balanceOf(contract, hotAddress)).toBeGreaterThanOrEqual(MILLION * MILLION);
    expect(await balanceOf(undefined, hotAddress)).toBeGreaterThan(0n);
  });

  it("stops blocks only while it is paused, and mines on demand", async () => {
    const devnet = await start();
    const height = () => ask("eth_blockNumber", [], heightSchema);
    const begun = await height();
    await until("blocks come by themselves", async () => (await height()) > begun + 1);
    const paused = await devnet.setPaused(true);
    const txId = await devnet.pay({ to: TO, slug: "eth", amount: 5n });
    // Three block times without a block: the one wait for something that must not come.
    const later = Date.now() + 3_000;
    await until("three block times have passed", () => Date.now() > later);
    expect([await height(), await isMined(txId)]).toEqual([paused, false]);
    expect(await devnet.mine(3)).toBe(paused + 3);
    expect(await isMined(txId)).toBe(true);
    await devnet.setPaused(false);
    await until("blocks come again", async () => (await height()) > paused + 4);
  });
});

describe("a devnet that is restarted", () => {
  it("continues where it was stopped", async () => {
    const first = await start();
    await first.pay({ to: TO, slug: "usdt-erc20", amount: 41n });
    const height = await first.mine(2);
    const tip: Hex = `0x${height.toString(16)}`;
    const hash = await hashAt(tip);
    const pid = await nodePid();
    await first.stop();
    expect(startOfProcess(pid)).toBeNull();

    const second = await start();
    expect(await nodePid()).not.toBe(pid);
    expect(second.contracts).toEqual(first.contracts);
    expect(await hashAt(tip)).toBe(hash);
    expect(await balanceOf(second.contracts["usdt-erc20"], TO)).toBe(41n);
    await second.pay({ to: TO, slug: "usdt-erc20", amount: 1n });
    await until("it takes payments", async () => (await balanceOf(second.contracts["usdt-erc20"], TO)) === 42n);
  });

  it("continues from its last written state when it was killed", async () => {
    const first = await start();
    await payInto(first, "state.json", 43n);
    first.detach();
    await killNode();
    const second = await start();
    expect(second.contracts).toEqual(first.contracts);
    expect(await balanceOf(second.contracts["usdt-erc20"], TO)).toBe(43n);
  });

  it("is started again with its chain when it was killed", async () => {
    const devnet = await start();
    await payInto(devnet, "state.json", 44n);
    await killNode();
    const isPaid = () => balanceOf(devnet.contracts["usdt-erc20"], TO).then((balance) => balance === 44n);
    await until("it answers again", () => isPaid().catch(() => false));
  });

  it("uses its last complete copy when the kill damaged the state, and fails when both are damaged", async () => {
    const first = await start();
    await payInto(first, "state.backup.json", 44n);
    first.detach();
    await killNode();
    const state = join(folder(), "state.json");
    await truncate(state, Math.floor((await stat(state)).size / 2));
    const second = await start();
    expect(await balanceOf(second.contracts["usdt-erc20"], TO)).toBe(44n);

    await second.stop();
    opened = null;
    await truncate(state, 100);
    await writeFile(join(folder(), "state.backup.json"), "{");
    await expect(start()).rejects.toThrow("damaged");
  });

  it("tops the treasury up when it is below half", async () => {
    const first = await start();
    const { hotAddress } = await loadOrCreateSandboxKeys(dataDir);
    const full = await balanceOf(undefined, hotAddress);
    first.detach();
    await ask("anvil_setBalance", [hotAddress, `0x${(full / 2n).toString(16)}`], z.null());
    (await start()).detach();
    expect(await balanceOf(undefined, hotAddress)).toBe(full / 2n);
    await ask("anvil_setBalance", [hotAddress, `0x${(full / 2n - 1n).toString(16)}`], z.null());
    await start();
    expect(await balanceOf(undefined, hotAddress)).toBe(full);
  });

  it("attaches to the node that outlived a killed process group, and ends a pause", async () => {
    const server = spawn(process.execPath, [STARTER, dataDir, String(port)], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(server.stdout, "data");
    const pid = await nodePid();
    await ask("evm_setIntervalMining", [0], z.null());
    process.kill(-Number(server.pid), "SIGKILL");
    await once(server, "exit");
    const height = await ask("eth_blockNumber", [], heightSchema);

    const devnet = await start();
    expect(await nodePid()).toBe(pid);
    await until("blocks come again", async () => (await ask("eth_blockNumber", [], heightSchema)) > height);
    await devnet.stop();
    opened = null;
    expect(startOfProcess(pid)).toBeNull();
  });

  it("moves with its state to another port", async () => {
    const first = await start();
    await first.pay({ to: TO, slug: "usdt-erc20", amount: 45n });
    await first.mine(1);
    first.detach();
    const pid = await nodePid();
    port = await freePort();
    const second = await start();
    expect(startOfProcess(pid)).toBeNull();
    expect(await balanceOf(second.contracts["usdt-erc20"], TO)).toBe(45n);
  });
});

describe("a devnet that can't be started", () => {
  it("says that the port is taken by another program", async () => {
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    await expect(start()).rejects.toThrow(`port ${port} is taken`);
    other.close();
    await once(other, "close");
    await start();
  });

  it("does not touch the devnet of another folder on that port", async () => {
    const first = await start();
    const mine = dataDir;
    dataDir = await mkdtemp(join(tmpdir(), "wherry-devnet-"));
    await expect(start()).rejects.toThrow(`port ${port} is taken`);
    await rm(dataDir, { recursive: true, force: true });
    dataDir = mine;
    await first.mine(1);
  });

  it("refuses a chain with the marker of another folder", async () => {
    (await start()).detach();
    await writeFile(join(folder(), "instance"), `0x${"7".repeat(32)}\n`);
    await expect(start()).rejects.toThrow("does not belong");
  });

  it("never mistakes a process with the same pid for its node", async () => {
    const first = await start();
    await first.stop();
    await writeFile(
      join(folder(), "node.json"),
      JSON.stringify({ pid: process.pid, start: startOfProcess(process.pid), port }),
    );
    await start();
    expect(await nodePid()).not.toBe(process.pid);
  });
});
