import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./run.ts";

/** Checks one file of this content by the rules of the repository. */
function check(content: string): { code: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "wherry-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "planted.ts"), content);
  const program = join(root, "node_modules/secretlint/bin/secretlint.js");
  const args = [program, "--secretlintrc", join(root, ".secretlintrc.json"), "planted.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const letters = (count: number) => "Kz7Qa9Xw".repeat(20).slice(0, count);

/** The check would find what is written here in one piece. */
const joined = (...parts: string[]) => parts.join("");

test.each([
  ["a private key", generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString()],
  ["an RSA key", rsa.privateKey.export({ format: "pem", type: "pkcs1" }).toString()],
  ["an extended private key", `const key = "xprv${letters(107)}";`],
  [
    "a seed phrase",
    joined("EVM_MNE", "MONIC=legal winner thank year wave sausage worth useful legal winner thank yellow"),
  ],
  ["a bot's token", `TELEGRAM_BOT_TOKEN=123456789:${letters(35)}`],
  ["a database's password", joined("const url = 'postgres:", "//wherry:s3cr3tW0rd@db.example.org/wherry';")],
  ["a GitHub token", joined("const token = 'gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';")],
])("%s that was left in a file is found", (_, content) => {
  const { code, output } = check(content);
  expect(output).toContain("planted.ts");
  expect(code).toBe(1);
});

test("a file without one passes", () => {
  expect(check('const url = "postgres://localhost/wherry";')).toMatchObject({ code: 0 });
});
