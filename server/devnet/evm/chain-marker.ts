import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getAddress, keccak256, sliceHex, stringToHex } from "viem";
import * as z from "zod";
import type { EvmRpc } from "../../chains/evm/rpc.ts";
import { bytesSchema } from "../../chains/evm/schemas.ts";
import { DevnetError } from "./anvil.ts";
import { randomHex } from "../../base/secrets.ts";

/** The account whose code is the id of the folder that the chain belongs to. */
const MARKER = getAddress(sliceHex(keccak256(stringToHex("wherry devnet")), 12));
const idSchema = z.string().regex(/^0x[0-9a-f]{32}$/);

/** Makes sure that the chain behind the port is the one of this folder; a new chain gets its marker. */
export async function checkChainMarker(rpc: EvmRpc, folder: string): Promise<void> {
  const id = await instanceId(folder);
  const marker = await rpc.call("eth_getCode", [MARKER, "latest"], bytesSchema);
  if (marker === id) return;
  if (marker !== "0x") throw new DevnetError(`the devnet that answers does not belong to ${folder}`);
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
