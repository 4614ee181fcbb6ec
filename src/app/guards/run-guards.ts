import { accountRefresh } from "./account-refresh.ts";
import { exchangeIndex } from "./exchange-index.ts";
import type { Guard, GuardContext, Navigation, Redirect } from "./guard.ts";
import { lkRedirect } from "./lk-redirect.ts";
import { normalPath } from "./normal-path.ts";
import { referral } from "./referral.ts";
import { seoMeta } from "./seo-meta.ts";
import { serverRedirects } from "./server-redirects.ts";
import { startParameter } from "./start-parameter.ts";

/** Telegram's deeplink, then guards 1 to 4 of spec §2 in order, and the check of the profile's routes: the page loads once they have passed. */
export const GUARDS_BEFORE_LOADING: readonly Guard[] = [
  startParameter,
  exchangeIndex,
  accountRefresh,
  referral,
  normalPath,
  lkRedirect,
];

/** Guards 5 and 6, in order. They call the server, so they run while the page loads. */
export const GUARDS_BESIDE_LOADING: readonly Guard[] = [seoMeta, serverRedirects];

/** Runs guards in order; the first redirect wins. */
export async function runGuards(
  guards: readonly Guard[],
  navigation: Navigation,
  context: GuardContext,
): Promise<Redirect | null> {
  for (const guard of guards) {
    const redirect = await guard(navigation, context);
    if (redirect !== null) return redirect;
  }
  return null;
}
