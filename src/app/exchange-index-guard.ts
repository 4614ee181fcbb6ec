import type { Api } from "#contract/ssr.ts";
import { formatPairSlug } from "#contract/pair-slug.ts";

/**
 * Guard 1 of spec §2: a listing's link (`cur_from`, `cur_to` and the referral) goes to its pair's page, and everything that
 * can't be found goes to `/`. Null when the address is none of its business.
 */
export async function exchangeIndexGuard(path: string, query: URLSearchParams, api: Api): Promise<string | null> {
  const isIndex = path === "/exchange";
  if (!isIndex && path !== "/") return null;
  const from = query.get("cur_from");
  const to = query.get("cur_to");
  if (from === null || to === null) return isIndex ? "/" : null;
  const pair = await findPair(from, to, api);
  if (pair === null) return "/";
  const referral = query.get("ref");
  return `/exchange-${pair}${referral === null ? "" : `?${new URLSearchParams({ ref: referral })}`}`;
}

async function findPair(from: string, to: string, api: Api): Promise<string | null> {
  try {
    const instruments = await api.call("instruments", { query: { all: "true" } });
    const slugOf = (listed: string) => instruments.find(({ bestChangeName }) => bestChangeName === listed)?.slug;
    const pair = { from: slugOf(from), to: slugOf(to) };
    if (pair.from !== undefined && pair.to !== undefined) return formatPairSlug({ from: pair.from, to: pair.to });
    console.error("a listing's link names an unknown instrument", { from, to });
  } catch (error) {
    console.error("a listing's link can't be followed", error);
  }
  return null;
}
