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

/** What such a payment may cost at most. */
export const maxFeeOf = (rate: FeeRate, inputs: number): bigint => FEE_MARGIN * expectedFee(rate, inputs);
