import { z } from "zod";
import type { Process, Values } from "./values.ts";

/** Whole USD; null for off. */
const usd = () =>
  z
    .string()
    .regex(/^(off|[1-9]\d{0,11})$/i, "must be off, or a whole number of USD above 0")
    .transform((text) => (text.toLowerCase() === "off" ? null : Number(text)));

const DEFAULT_APPROVAL_USD = 25_000;
const DEFAULT_HOURLY_USD = 50_000;
const DEFAULT_NETWORK_HOURLY_USD = 250_000;
const DEFAULT_WALLET_CAP_USD = 250_000;

export const treasuryVariables = {
  APPROVAL_ABOVE_USD: usd().optional(),
  APPROVAL_ABOVE_USD_PER_HOUR: usd().optional(),
  APPROVAL_ABOVE_USD_PER_HOUR_OF_NETWORK: usd().optional(),
  HOT_WALLET_CAP_USD: usd().optional(),
};

/** What needs two operators, in whole USD; null: any sum is paid. */
export type ApprovalUsd = Readonly<{
  /** One payment. */
  aboveUsd: number | null;
  /** All to one destination, or for one client, within an hour. */
  hourlyUsd: number | null;
  /** All on one network within an hour. */
  networkHourlyUsd: number | null;
}>;

export type TreasuryConfig = Readonly<{
  approval: ApprovalUsd;
  /** What a hot wallet may hold of one instrument before operators are warned; null: any sum. */
  walletCapUsd: number | null;
}>;

/** A sandbox has nobody who could approve or move coins away. */
export function treasuryConfig(
  value: Values<typeof treasuryVariables>,
  { sandbox }: Pick<Process, "sandbox">,
): TreasuryConfig {
  const live = (asked: number | null | undefined, usual: number) =>
    asked === undefined ? (sandbox ? null : usual) : asked;
  return Object.freeze({
    approval: {
      aboveUsd: live(value.APPROVAL_ABOVE_USD, DEFAULT_APPROVAL_USD),
      hourlyUsd: live(value.APPROVAL_ABOVE_USD_PER_HOUR, DEFAULT_HOURLY_USD),
      networkHourlyUsd: live(value.APPROVAL_ABOVE_USD_PER_HOUR_OF_NETWORK, DEFAULT_NETWORK_HOURLY_USD),
    },
    walletCapUsd: live(value.HOT_WALLET_CAP_USD, DEFAULT_WALLET_CAP_USD),
  });
}
