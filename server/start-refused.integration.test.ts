import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../scripts/lib/free-port.ts";
import { freshDatabase } from "../tests/support/database/database.ts";

const EVM_MNEMONIC = "test test test test test test test test test test test junk";

test("a start with a node and no keys is refused before it changes the database", { timeout: 60_000 }, async () => {
  await using database = await freshDatabase({ empty: true });
  const DATA_DIR = mkdtempSync(join(tmpdir(), "wherry-keys-"));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url, DATA_DIR, LOG_LEVEL: "silent" };
  const start = promisify(execFile)(process.execPath, ["server/main.ts"], {
    env: { ...env, NODE_ENV: "production", PUBLIC_URL: "https://wherry.test", EVM_RPC_URL: "http://127.0.0.1:1" },
    timeout: 50_000,
  });
  await expect(start).rejects.toMatchObject({
    code: 1,
    stderr: "EVM_RPC_URL needs EVM_XPUB, or EVM_MNEMONIC with the worker role\n",
  });
  const { rows } = await database.pool.query(
    "select table_name from information_schema.tables where table_schema = 'public'",
  );
  expect(rows).toEqual([]);
});

test.each([
  ["SITE_FILE", "bad.json", /^SITE_FILE \S+ can't be read as JSON: .+\n$/],
  ["REDIRECTS_FILE", "bad.json", /^REDIRECTS_FILE \S+ can't be read as JSON: .+\n$/],
  ["SECURITY_LOG", "bad.json/security.log", /^SECURITY_LOG can't be opened: .+\n$/],
])(
  "a start with a %s that is not usable is refused before anything runs",
  async (name, file, stderr) => {
    const folder = mkdtempSync(join(tmpdir(), "wherry-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "bad.json"), "{bad");
    const DATA_DIR = join(folder, "data");
    const start = promisify(execFile)(process.execPath, ["server/main.ts"], {
      env: { PATH: process.env["PATH"] ?? "", DATA_DIR, LOG_LEVEL: "silent", [name]: join(folder, file) },
      timeout: 50_000,
    });
    await expect(start).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(stderr) });
    expect(existsSync(DATA_DIR)).toBe(false);
  },
  60_000,
);

test(
  "a start with a node of another chain is refused, and the database takes on none",
  { timeout: 60_000 },
  async () => {
    await using database = await freshDatabase();
    const DATA_DIR = mkdtempSync(join(tmpdir(), "wherry-chain-"));
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
    const node = createHttpServer((request, response) => {
      request.resume().on("end", () => response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x38" })));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => {
      node.closeAllConnections();
      node.close();
    });
    await once(node, "listening");
    const EVM_RPC_URL = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url, DATA_DIR, LOG_LEVEL: "silent" };
    const start = promisify(execFile)(process.execPath, ["server/main.ts"], {
      env: { ...env, SANDBOX: "off", ROLES: "worker", PUBLIC_URL: "https://wherry.test", EVM_RPC_URL, EVM_MNEMONIC },
      timeout: 50_000,
    });
    await expect(start).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ETH: the node serves chain 56, not 1"),
    });
    expect((await database.pool.query("select from network_identities")).rowCount).toBe(0);
  },
);

test("a start whose port is taken says which one it is, without a stack", { timeout: 60_000 }, async () => {
  await using database = await freshDatabase();
  const DATA_DIR = mkdtempSync(join(tmpdir(), "wherry-port-"));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const PORT = `${(taken.address() as AddressInfo).port}`;
  const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url, DATA_DIR, LOG_LEVEL: "silent" };
  const start = promisify(execFile)(process.execPath, ["server/main.ts"], {
    env: { ...env, PORT, HOST: "127.0.0.1", DEVNET_EVM_PORT: String(await freePort()) },
    timeout: 50_000,
  });
  await expect(start).rejects.toMatchObject({
    code: 1,
    stderr: `EADDRINUSE: PORT ${PORT} at 127.0.0.1 can't be used: another program listens there\n`,
  });
});
