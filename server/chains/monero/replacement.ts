import { PaymentRefusedError } from "../port.ts";
import type { Daemon } from "./daemon.ts";
import { maxFeeWithin } from "./fees.ts";
import { keyImagesOf } from "./key-images.ts";
import type { HotOutput, SignedPayment } from "./schemas.ts";

export type SignAnewParts = {
  daemon: Pick<Daemon, "lookUp" | "unspent" | "submit" | "feeRate">;
  outputs(): Promise<readonly HotOutput[]>;
  maxFeePerByte: bigint;
  /** Signs the payment over these outputs alone. */
  sign(keyImages: ReadonlySet<string>, maxFee: bigint): Promise<SignedPayment>;
};

type Sent = { bytes: string; txId: string };

/**
 * Signs a payment once more over the key images of those that were sent, which the chain takes once. Null while any pool or block holds
 * them, or the node still takes the old bytes: they are offered once more, since a payment of Monero that waits can't be outbid.
 */
export async function signAnew(
  { daemon, outputs, maxFeePerByte, sign }: SignAnewParts,
  reserved: readonly string[],
  sent: readonly Sent[],
): Promise<SignedPayment | null> {
  if (!(await isRefused(daemon, reserved, sent))) return null;
  const spent = sent.map(({ bytes }) => keyImagesOf(bytes));
  const known = new Set((await outputs()).map(({ key_image }) => key_image));
  const again = new Set(spent.flat());
  const foreign = [...again].find((keyImage) => !known.has(keyImage) || !reserved.includes(keyImage));
  if (foreign !== undefined)
    throw new Error(`the payment spends ${foreign}, which it has not reserved, or which the wallet doesn't have`);
  const rate = await daemon.feeRate();
  const maxFee = maxFeeWithin(maxFeePerByte, rate, again.size);
  if (maxFee === null)
    throw new PaymentRefusedError(
      "fee_over_cap",
      `a byte costs ${rate.perByte}, rounded up to ${rate.mask}: more than ${maxFeePerByte}`,
    );
  const signed = await sign(again, maxFee);
  const now = new Set(signed.spent_key_images.key_images);
  // The wallet chooses among them: one that has none in common with an attempt would be paid beside it.
  if (!spent.every((before) => before.some((keyImage) => now.has(keyImage))))
    throw new Error(`the wallet would spend ${[...now].join()}, which doesn't exclude what was sent before`);
  return signed;
}

async function isRefused(
  daemon: SignAnewParts["daemon"],
  reserved: readonly string[],
  sent: readonly Sent[],
): Promise<boolean> {
  for (const { txId } of sent) if ((await daemon.lookUp(txId)).kind !== "absent") return false;
  if ((await daemon.unspent(reserved)).size < reserved.length) return false;
  for (const { bytes } of sent) {
    const answer = await daemon.submit(bytes);
    if (answer.isAccepted || !answer.isInvalid) return false;
  }
  return sent.length > 0;
}
