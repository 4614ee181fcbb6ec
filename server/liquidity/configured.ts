import type { Config } from "../config/config.ts";
import { createChangeNow } from "./partners/changenow.ts";
import { createSideShift } from "./partners/sideshift.ts";
import type { LiquidityPartner } from "./port.ts";

/** The partners that the environment has keys for, by code; none is asked without being configured. */
export function configuredPartners({
  changeNow,
  sideShift,
}: Config["partners"]): ReadonlyMap<string, LiquidityPartner> {
  const partners = [changeNow && createChangeNow(changeNow), sideShift && createSideShift(sideShift)];
  return new Map(partners.flatMap((partner) => (partner ? [[partner.code, partner] as const] : [])));
}
