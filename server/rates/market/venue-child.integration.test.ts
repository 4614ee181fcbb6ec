import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { startKraken, type VenueServer } from "../../../tests/support/services/venue-servers.ts";
import { createLog } from "../../base/logging/log.ts";
import { startOfProcess } from "../../base/processes/process-identity.ts";
import { isolation, openVenueChild, type VenueChild, type VenueChildOptions } from "./venue-child.ts";
import { UnknownVenueError } from "./venue-ccxt.ts";

// Each test starts a process that loads a large library; on a busy machine that takes a while.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SECRET = "abandon ability able about above absent absorb abstract absurd abuse access accident";
const log = createLog({ level: "silent" });

let kraken: VenueServer;
beforeAll(async () => {
  vi.stubEnv("EVM_MNEMONIC", SECRET);
  kraken = await startKraken({ "ETH/USD": { bid: "3000", ask: "3000", last: "3000" } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await kraken[Symbol.asyncDispose]();
});
beforeEach(() => {
  kraken.mode = "good";
});

const opened = new Set<VenueChild>();
afterEach(async () => {
  for (const child of opened) await child.stop();
  opened.clear();
});
async function open(options: Partial<VenueChildOptions> = {}): Promise<VenueChild> {
  const child = await openVenueChild({
    venues: [{ id: "kraken", publicUrl: kraken.url }],
    log,
    pauses: { firstMs: 50, maxMs: 200 },
    ...options,
  });
  opened.add(child);
  return child;
}
const pidOf = (child: VenueChild): number => {
  const pid = child.pid();
  if (pid === null) throw new Error("the process does not run");
  return pid;
};
const read = async ({ venues }: VenueChild) => (await venues[0]?.read(["ETH/USD", "BTC/USD"])) ?? new Map();
const E18 = 10n ** 18n;

describe("the process that reads the venues", () => {
  it("answers with prices of what was asked for, and with the venue's failure", async () => {
    const child = await open();
    const prices = await read(child);
    expect([...prices.keys()]).toEqual(["ETH/USD"]);
    expect(prices.get("ETH/USD")).toMatchObject({ price: 3000n * E18, takenAt: expect.any(Date) });

    kraken.mode = "failing";
    await expect(read(child)).rejects.toThrow(/ExchangeNotAvailable|503/);
    kraken.mode = "good";
    expect((await read(child)).size).toBe(1);
  });

  it("answers with the candles of a market that the venue has, and with none of another time", async () => {
    const hour = 3_600;
    const first = Math.floor(Date.now() / 3_600_000) * hour - 10 * hour;
    kraken.candles.set(
      "ETH/USD 3600",
      [0, 1, 2, 4].map((n) => [first + n * hour, `${3000 + n}.5`]),
    );
    const [venue] = (await open()).venues;
    const time = (from: number, until: number) => ({
      timeframe: "1h" as const,
      from: new Date((first + from * hour) * 1_000),
      until: new Date((first + until * hour) * 1_000),
    });
    const read = await venue?.candles(["ETH/USD", "ETH/USDT"], time(1, 5));
    expect(read?.symbol).toBe("ETH/USD");
    expect([...(read?.opens ?? [])]).toEqual([
      [(first + hour) * 1_000, 30015n * 10n ** 17n],
      [(first + 2 * hour) * 1_000, 30025n * 10n ** 17n],
      [(first + 4 * hour) * 1_000, 30045n * 10n ** 17n],
    ]);
    expect((await venue?.candles(["ETH/USD"], time(-500, -400)))?.opens.size).toBe(0);
    expect(await venue?.candles(["DOGE/USD"], time(0, 5))).toEqual({ symbol: null, opens: new Map() });
    kraken.mode = "failing";
    await expect(venue?.candles(["ETH/USD"], time(0, 5))).rejects.toThrow(/ExchangeNotAvailable|503/);
  });

  it("names an unknown venue", async () => {
    await expect(open({ venues: [{ id: "mtgox" }] })).rejects.toThrow(UnknownVenueError);
  });

  it("has no secret in its environment, and none in its memory", async () => {
    const child = await open();
    await read(child);
    const pid = pidOf(child);
    const names = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((entry) => entry.split("=", 1)[0]);

    const allowed = /^(|NODE_CHANNEL_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/;
    expect(names.filter((name = "") => !allowed.test(name))).toEqual([]);
    expect(memoryHolds(pid, "api.kraken.com")).toBe(true);
    expect(memoryHolds(pid, SECRET)).toBe(false);
  });

  it("is restarted after its death, and what it was asked meanwhile fails", async () => {
    const child = await open();
    const first = pidOf(child);
    kraken.mode = "silent";
    const asked = Promise.allSettled([read(child)]);
    await eventually("the venue is asked", () => kraken.requests.length > 0 || null);
    process.kill(first, "SIGKILL");
    expect((await asked)[0]).toMatchObject({ reason: { message: expect.stringContaining("has died") } });

    kraken.mode = "good";
    const again = await eventually("prices come back", async () => {
      const [result] = await Promise.allSettled([read(child)]);
      return result.status === "fulfilled" ? result.value : null;
    });
    expect(again.size).toBe(1);
    expect(pidOf(child)).not.toBe(first);
  });

  it("is ended and restarted when it hangs", async () => {
    const child = await open({ answerTimeoutMs: 300 });
    const first = pidOf(child);
    process.kill(first, "SIGSTOP");
    await expect(read(child)).rejects.toThrow("has died");
    await eventually("another process runs", () => (child.pid() !== null && child.pid() !== first) || null);
  });

  it("ends with the process that started it, however that one dies", async () => {
    const code = `
      const { openVenueChild } = await import("./venue-child.ts");
      const child = await openVenueChild({ venues: [{ id: "kraken" }], log: console });
      process.stdout.write(String(child.pid()));
      setInterval(() => undefined, 1_000);`;
    const cwd = fileURLToPath(new URL(".", import.meta.url));
    const parent = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [printed] = await once(parent.stdout, "data");
    const pid = Number(String(printed));
    expect(startOfProcess(pid)).not.toBeNull();

    parent.kill("SIGKILL");
    await eventually("the child ends", () => startOfProcess(pid) === null || null);
  });

  it("stops, and is not restarted", async () => {
    const child = await open();
    const pid = pidOf(child);
    await child.stop();
    expect(startOfProcess(pid)).toBeNull();
    await expect(read(child)).rejects.toThrow("does not run");
  });
});

describe("what the process may not do", () => {
  /** What a script in its place gets of the machine: its output, or the code of the error. */
  async function attempt(script: string): Promise<string> {
    const { execArgv, env } = isolation({ EVM_MNEMONIC: SECRET, NODE_EXTRA_CA_CERTS: "" });
    const code = `
      const fs = require("node:fs");
      try { console.log(${script}) } catch (error) { console.log(error.code) }`;
    const child = spawn(process.execPath, [...execArgv, "-e", code], { env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await once(child, "close");
    return output.trim();
  }

  it.each([
    ["read its parent's environment", 'fs.readFileSync("/proc/" + process.ppid + "/environ", "utf8")'],
    ["read a file of the machine", 'fs.readFileSync("/etc/passwd", "utf8")'],
    ["write a file", 'fs.writeFileSync("/tmp/planted", "x")'],
    ["start a program", 'require("node:child_process").execSync("env").toString()'],
  ])("%s", async (_, script) => {
    expect(await attempt(script)).toBe("ERR_ACCESS_DENIED");
  });

  it("see a variable of ours", async () => {
    expect(await attempt("JSON.stringify(Object.keys(process.env))")).toBe('["NODE_EXTRA_CA_CERTS"]');
  });
});

/** Whether the readable memory of a process holds this text, in one or two bytes a letter. */
function memoryHolds(pid: number, text: string): boolean {
  const forms = [Buffer.from(text, "latin1"), Buffer.from(text, "utf16le")];
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    return readFileSync(`/proc/${pid}/maps`, "utf8")
      .split("\n")
      .some((line) => {
        const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
        if (from === undefined || to === undefined) return false;
        const bytes = Buffer.alloc(Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)));
        readSync(memory, bytes, 0, bytes.length, BigInt(`0x${from}`));
        return forms.some((form) => bytes.includes(form));
      });
  } finally {
    closeSync(memory);
  }
}
