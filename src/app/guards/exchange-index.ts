import { formatPairSlug } from "#contract/links/pair-slug.ts";
import type { Api } from "#contract/site/ssr.ts";
import { localePath } from "#contract/locale.ts";
import { type Guard, redirectTo } from "./guard.ts";

/**
 * Guard 1 of spec §2: a link from a listing (`cur_from`, `cur_to` and the referral) to the exchange index (contract §3) opens the
 * pair's page; an unknown pair opens `/`.
 */
export const exchangeIndex: Guard = async ({ locale, path, query }, { api }) => {
  const isIndex = path === "/exchange";
  if (!isIndex && path !== "/") return null;
  const home = redirectTo(localePath(locale, "/"));
  const from = query.get("cur_from");
  const to = query.get("cur_to");
  if (from === null || to === null) return isIndex ? home : null;
  const pair = await findPair(from, to, api);
  if (pair === null) return home;
  const referral = query.get("ref");
  const kept = referral === null ? "" : `?${new URLSearchParams({ ref: referral })}`;
  return redirectTo(localePath(locale, `/exchange-${pair}`) + kept);
};

async function findPair(from: string, to: string, api: Api): Promise<string | null> {
  try {
    const instruments = await api.call("instruments", { query: { all: "true" } });
    const slugOf = (listed: string) => instruments.find(({ bestChangeName }) => bestChangeName === listed)?.slug;
    const pair = { from: slugOf(from), to: slugOf(to) };
    if (pair.from !== undefined && pair.to !== undefined) return formatPairSlug({ from: pair.from, to: pair.to });
    console.error("a link from a listing names an unknown instrument", { from, to });
  } catch (error) {
    console.error("a link from a listing can't be resolved", error);
  }
  return null;
}
