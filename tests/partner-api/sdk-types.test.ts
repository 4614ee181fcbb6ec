import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { CLIENT_FILE } from "../../scripts/lib/sdk/make-client.ts";
import { articleProgram } from "../support/partner-api/article-program.ts";

const run = promisify(execFile);

/** What an integrator writes who has strict types: nothing of it may need a cast. */
const PROGRAM = `
import { type Order, WherryClient } from "./wherry.ts";

export async function everyOrder(client: WherryClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: Order[]; nextCursor: string | null } = await client.orders(cursor === null ? {} : { cursor });
    for (const { depositAddress, externalId, pair } of page.items) {
      const parts: (string | null)[] = [depositAddress, externalId, pair.instrumentFrom.chainId, pair.instrumentTo.assetId];
      found.push(parts.join());
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

export const order = (client: WherryClient): Promise<Order> =>
  client.createOrder(
    {
      rateMode: "FLOATING",
      instrumentFromSlug: "eth",
      instrumentToSlug: "usdt-erc20",
      destinationAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      claimedDepositAmount: "0.5",
      claimedPublicRate: { price: "2969.7", updatedAt: "2026-11-21T12:00:00.000Z", claimedAmountToReceive: "1484.85" },
    },
    "key 1",
  );
`;

test("the client and the quick start's programs compile with strict types", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-sdk-types-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "wherry.ts"), await readFile(CLIENT_FILE, "utf8"));
  await writeFile(join(folder, "shop.ts"), PROGRAM);
  for (const file of ["swap.ts", "receiver.ts"]) await writeFile(join(folder, file), await articleProgram("en", file));
  const options = "--noEmit --strict --skipLibCheck --target es2024 --module nodenext --allowImportingTsExtensions";
  const compiled = run(
    process.execPath,
    [
      resolve("node_modules/typescript/bin/tsc"),
      ...options.split(" "),
      "--types",
      "node",
      "shop.ts",
      "swap.ts",
      "receiver.ts",
    ],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect((await compiled).stdout).toBe("");
}, 60_000);

test("no field that the client takes or gives is of an unknown type", async () => {
  const unknown = (await readFile(CLIENT_FILE, "utf8")).match(/\w+\??: unknown(?=;| \})/g);
  // What its own `call` takes.
  expect(unknown).toEqual(["body?: unknown"]);
});
