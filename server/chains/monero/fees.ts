/** Weights of payments with rings of 16 and two outputs, rounded up. */
const ONE_INPUT = 2_300n;
const FURTHER_INPUT = 700n;

export type FeeRate = { perByte: bigint; mask: bigint };

/** What a payment that spends so many outputs costs at a rate, in minor units. */
export function expectedFee({ perByte, mask }: FeeRate, inputs = 1): bigint {
  const fee = perByte * (ONE_INPUT + FURTHER_INPUT * BigInt(Math.max(0, inputs - 1)));
  return ((fee + mask - 1n) / mask) * mask;
}

/** How far fees may rise between the choice of inputs and the signature; less than the times that a payment may cost what was charged. */
const FEE_MARGIN = 2n;

/** What such a payment may cost whatever its node asks for: a node names not only a rate, but also what fees are rounded up to. */
export const feeCapOf = (maxPerByte: bigint, inputs: number): bigint =>
  expectedFee({ perByte: maxPerByte, mask: 1n }, inputs);

/** What such a payment may cost at this rate, within the cap; null where it costs more than the cap by now. */
export function maxFeeWithin(maxPerByte: bigint, rate: FeeRate, inputs: number): bigint | null {
  const [expected, cap] = [expectedFee(rate, inputs), feeCapOf(maxPerByte, inputs)];
  if (expected > cap) return null;
  return FEE_MARGIN * expected < cap ? FEE_MARGIN * expected : cap;
}
