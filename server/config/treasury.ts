import { z } from "zod";
import type { Process, Values } from "./values.ts";

/** Whole USD; null for off. */
const usd = () =>
  z
    .string()
    .regex(/^(off|[1-9]\d{0,11})$/i, "must be off, or a whole number of USD above 0")
    .transform((text) => (text.toLowerCase() === "off" ? null : Number(text)));

const DEFAULT_APPROVAL_USD = 25_000;

export const treasuryVariables = {
  APPROVAL_ABOVE_USD: usd().optional(),
};

export type TreasuryConfig = Readonly<{
  /** A payment worth more needs two operators; null: none does. */
  approvalAboveUsd: number | null;
}>;

/** A sandbox has nobody who could approve. */
export function treasuryConfig(
  value: Values<typeof treasuryVariables>,
  { sandbox }: Pick<Process, "sandbox">,
): TreasuryConfig {
  const { APPROVAL_ABOVE_USD: approval } = value;
  return Object.freeze({
    approvalAboveUsd: approval === undefined ? (sandbox ? null : DEFAULT_APPROVAL_USD) : approval,
  });
}
