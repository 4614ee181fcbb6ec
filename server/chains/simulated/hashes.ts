import { createHash } from "node:crypto";
import { base58 } from "@scure/base";

/** How a network's explorers write the id of a transaction. */
export function transactionId(networkTitle: string, content: string): string {
  if (networkTitle === "SOL") return base58.encode(createHash("sha512").update(content).digest());
  const id = createHash("sha256").update(content).digest("hex");
  return networkTitle === "XRP" ? id.toUpperCase() : id;
}

/** The hash of the block of a height on a fork; `salt` names the fork. */
export function blockHash(networkTitle: string, seed: string, height: number, salt: bigint): string {
  const hash = createHash("sha256").update(`${seed}|${networkTitle}|block|${height}|${salt}`).digest();
  return networkTitle === "SOL" ? base58.encode(hash) : hash.toString("hex");
}
