import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { toHex } from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";

const DEPOSIT_BRANCH = "m/44'/60'/0'/0";
const HOT_PATH = "m/44'/60'/1'/0/0";
const WORDS_24 = 256;

export type EvmKeys = { mnemonic: string; xpub: string; hotAddress: string };

/** The extended public key from which a mnemonic's deposit addresses are derived: m/44'/60'/0'/0. */
export function depositXpub(mnemonic: string): string {
  return derive(mnemonic, DEPOSIT_BRANCH).publicExtendedKey;
}

/** The account that pays out: m/44'/60'/1'/0/0, on a branch that shares nothing with deposits. */
export function hotAccount(mnemonic: string): PrivateKeyAccount {
  const { privateKey } = derive(mnemonic, HOT_PATH);
  if (privateKey === null) throw new Error("no key can be derived for the hot wallet");
  return privateKeyToAccount(toHex(privateKey));
}

/** The accounts behind deposit addresses, by the index of each: what signs their sweeps. A branch is derived at its first use. */
export function depositAccounts(mnemonic: string): (index: bigint) => PrivateKeyAccount {
  let branch: HDKey | null = null;
  return (index) => {
    branch ??= derive(mnemonic, DEPOSIT_BRANCH);
    const { privateKey } = branch.deriveChild(Number(index));
    if (privateKey === null) throw new Error(`no key can be derived at ${index}`);
    return privateKeyToAccount(toHex(privateKey));
  };
}

/**
 * The sandbox's own keys: made at the first start on a DATA_DIR and readable by its owner only. Throws on a damaged file instead of
 * making new keys, because the old ones hold deposits.
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
  return { mnemonic, xpub: depositXpub(mnemonic), hotAddress: hotAccount(mnemonic).address };
}

const derive = (mnemonic: string, path: string): HDKey =>
  HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);

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
