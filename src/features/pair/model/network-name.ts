import type { Instrument } from "#contract/instrument.ts";

/** `Tron (TRC20)`; a network's own coin has no standard. */
export const networkName = ({
  networkFriendlyTitle,
  networkStandard,
}: Pick<Instrument, "networkFriendlyTitle" | "networkStandard">): string =>
  networkStandard === null ? networkFriendlyTitle : `${networkFriendlyTitle} (${networkStandard})`;
