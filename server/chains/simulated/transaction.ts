import { createHmac, timingSafeEqual, createHash } from "node:crypto";
import { base58 } from "@scure/base";
import * as z from "zod";
import type { PreparedPayment } from "../port.ts";

const amount = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt);
const outpoint = z.object({ txId: z.string(), outputIndex: z.int().nonnegative() });

const bodySchema = z.object({
  network: z.string(),
  sender: z.string(),
  spends: z.union([z.object({ nonce: z.int().nonnegative() }), z.object({ inputs: z.array(outpoint).min(1) })]),
  outputs: z.array(z.object({ address: z.string(), memo: z.string().nullable(), slug: z.string(), amount })).min(1),
  fee: amount,
});
const signedSchema = z.object({ body: z.string(), signature: z.string() });

/** What a payment says, before it is signed and after it was read again. */
export type TransactionBody = z.output<typeof bodySchema>;

/** Signs with the network's seed. The same body gives the same bytes, and with them the same id. */
export function signTransaction(seed: string, body: TransactionBody): PreparedPayment {
  const text = JSON.stringify(body, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  const raw = JSON.stringify({ body: text, signature: signatureOf(seed, text).toString("hex") });
  return { raw, txId: transactionId(body.network, raw) };
}

/** Reads signed bytes; throws on what is no transaction, is signed by another seed or is called otherwise. */
export function readTransaction(seed: string, { raw, txId }: PreparedPayment): TransactionBody {
  const signed = signedSchema.parse(JSON.parse(raw));
  const given = Buffer.from(signed.signature, "hex");
  const expected = signatureOf(seed, signed.body);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error("the signature is wrong");
  const body = bodySchema.parse(JSON.parse(signed.body));
  if (transactionId(body.network, raw) !== txId) throw new Error("the id does not belong to these bytes");
  return body;
}

const signatureOf = (seed: string, text: string): Buffer => createHmac("sha256", seed).update(text).digest();

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
