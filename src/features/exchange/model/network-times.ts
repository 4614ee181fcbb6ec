import type { Instrument } from "#contract/instrument.ts";
import type { Side } from "./calculator-url.ts";

type NetworkOfCoin = Pick<Instrument, "confirmations" | "blockSeconds" | "payoutSeconds">;

/** Seconds that a network needs: to confirm what is sent, or to pay out what is received. Null where its pace is unknown. */
export function networkSeconds(
  { confirmations, blockSeconds, payoutSeconds }: NetworkOfCoin,
  side: Side,
): number | null {
  if (side === "to") return payoutSeconds;
  return blockSeconds === null ? null : Math.max(1, confirmations) * blockSeconds;
}
