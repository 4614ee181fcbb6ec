import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getAddress, keccak256, sliceHex, stringToHex } from "viem";
import * as z from "zod";
import type { Rpc } from "../../chains/evm/rpc.ts";
import { bytesSchema } from "../../chains/evm/schemas.ts";
import { DevnetError } from "./anvil.ts";
import { randomHex } from "../../base/secrets.ts";

/** Where the chain itself bears the name of the folder that it belongs to. */
const MARKER = getAddress(sliceHex(keccak256(stringToHex("wherry devnet")), 12));
const idSchema = z.string().regex(/^0x[0-9a-f]{32}$/);

/** Makes sure that the chain behind the port is the one of this folder; a chain that is new gets its mark. */
export async function claimChain(rpc: Rpc, folder: string): Promise<void> {
  const id = await instanceId(folder);
  const mark = await rpc.call("eth_getCode", [MARKER, "latest"], bytesSchema);
  if (mark === id) return;
  if (mark !== "0x") throw new DevnetError(`the devnet that answers does not belong to ${folder}`);
  await rpc.call("anvil_setCode", [MARKER, id], z.null());
}

async function instanceId(folder: string): Promise<string> {
  const path = join(folder, "instance");
  try {
    return idSchema.parse((await readFile(path, "utf8")).trim());
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const id = `0x${randomHex(16)}`;
  await writeFile(`${path}.new`, `${id}\n`);
  await rename(`${path}.new`, path);
  return id;
}
