import { createChangeNow, type ChangeNowOptions } from "./partners/changenow.ts";
import { createSideShift, type SideShiftOptions } from "./partners/sideshift.ts";
import type { LiquidityPartner } from "./port.ts";

export { advanceExchange } from "./advance-exchange.ts";
export { abandonUnopened, endOfExchange, intendExchange } from "./store.ts";
export { createPartnerQuotes, type PartnerQuotes } from "./partner-quotes.ts";
export { createRefusingPartner } from "./partners/refusing.ts";
export { mayBePaid } from "./watch-exchange.ts";

/** The partners that have keys in the configuration, by code. */
export function configuredPartners({
  changeNow,
  sideShift,
}: {
  changeNow: ChangeNowOptions | null;
  sideShift: SideShiftOptions | null;
}): ReadonlyMap<string, LiquidityPartner> {
  const partners = [changeNow && createChangeNow(changeNow), sideShift && createSideShift(sideShift)];
  return new Map(partners.flatMap((partner) => (partner ? [[partner.code, partner] as const] : [])));
}
