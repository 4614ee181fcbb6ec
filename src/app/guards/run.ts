import { accountRefresh } from "./account-refresh.ts";
import { exchangeIndex } from "./exchange-index.ts";
import type { Guard, GuardWorld, Move, Redirect } from "./guard.ts";
import { normalPath } from "./normal-path.ts";
import { referral } from "./referral.ts";
import { seoMeta } from "./seo-meta.ts";
import { serverRedirects } from "./server-redirects.ts";
import { startParameter } from "./start-parameter.ts";

/** The messenger's deeplink, then guards 1 to 4 of spec §2 in their order: the page begins to load once they let the visit pass. */
export const GUARDS_BEFORE_LOADING: readonly Guard[] = [
  startParameter,
  exchangeIndex,
  accountRefresh,
  referral,
  normalPath,
];

/** Guards 5 and 6, in their order. They ask the server, so the page loads meanwhile. */
export const GUARDS_BESIDE_LOADING: readonly Guard[] = [seoMeta, serverRedirects];

/** Runs guards one after the other; the first redirect ends it. */
export async function runGuards(guards: readonly Guard[], move: Move, world: GuardWorld): Promise<Redirect | null> {
  for (const guard of guards) {
    const redirect = await guard(move, world);
    if (redirect !== null) return redirect;
  }
  return null;
}
