import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { generateMnemonic, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { depositXpub, hotAccount } from "../../chains/evm/keys.ts";

const WORDS_24 = 256;

export type EvmKeys = { mnemonic: string; xpub: string; hotAddress: string };

export const evmKeysOf = (mnemonic: string): EvmKeys => ({
  mnemonic,
  xpub: depositXpub(mnemonic),
  hotAddress: hotAccount(mnemonic).address,
});

/**
 * The sandbox's own keys: created at the first start on a DATA_DIR and readable by its owner only. Throws on a damaged file instead of
 * creating new keys, because the old ones hold deposits.
 */
export async function loadOrCreateSandboxKeys(dataDir: string): Promise<EvmKeys> {
  const folder = join(dataDir, "keys");
  const path = join(folder, "evm-sandbox.mnemonic");
  // In two steps: a mode that is given with "recursive" holds for DATA_DIR as well, which others may have to get through.
  await mkdir(dataDir, { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await createIfMissing(path, `${generateMnemonic(wordlist, WORDS_24)}\n`);
  const mnemonic = (await readFile(path, "utf8")).trim();
  if (!validateMnemonic(mnemonic, wordlist)) throw new Error(`${path} does not hold a valid mnemonic`);
  return evmKeysOf(mnemonic);
}

/** The file appears whole or not at all, and one that is there stays. */
async function createIfMissing(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
