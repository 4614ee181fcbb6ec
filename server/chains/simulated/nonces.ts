import type { SandboxWrites } from "./tables.ts";

/** The nonce that comes after the mined ones. */
export async function nextNonce(
  reads: Pick<SandboxWrites, "selectFrom">,
  network: string,
  sender: string,
): Promise<number> {
  const newest = await reads
    .selectFrom("sandbox_transactions")
    .select("nonce")
    .where("network", "=", network)
    .where("sender", "=", sender)
    .where("nonce", "is not", null)
    .where("block_height", "is not", null)
    .orderBy("nonce", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.nonce == null ? 0 : newest.nonce + 1;
}
