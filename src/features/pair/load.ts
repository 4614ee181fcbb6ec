import { isListedPair, type PairCatalogue } from "#contract/site/listed-pairs.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { PairActivity } from "#contract/site/pair-activity.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";

/** What the page of a pair has beside its calculator. */
export type PairParts = {
  /** Search engines may keep the page. */
  readonly isListed: boolean;
  /** Null where it can't be had now. */
  readonly activity: PairActivity | null;
};

type Kinded = PairCatalogue["instruments"][number] & Pick<Instrument, "instrumentType">;
type Catalogue = Omit<PairCatalogue, "instruments"> & { readonly instruments: readonly Kinded[] };

/** For `/exchange-{pair}`; without its activity the page is as good for exchanging. */
export async function loadPair(
  api: Api,
  catalogue: Catalogue,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PairParts> {
  const isOffered = catalogue.pairs.some((pair) => pair.from === from && pair.to.includes(to));
  // What is bought and sold by card is no exchange of ours.
  const isByCard = catalogue.instruments.some(
    ({ slug, instrumentType }) => instrumentType === "fiat" && (slug === from || slug === to),
  );
  const activity = isOffered && !isByCard ? await activityOf(api, from, to) : null;
  // While it can't be had, search engines are not asked to forget a page that they may keep.
  const isAskedFor = activity?.isAskedFor ?? (isOffered && !isByCard);
  return { isListed: isListedPair(catalogue, { from, to, isAskedFor }), activity };
}

async function activityOf(api: Api, from: string, to: string): Promise<PairActivity | null> {
  try {
    return await api.call("pairActivity", { query: { instrumentFromSlug: from, instrumentToSlug: to } });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("a pair's last exchanges can't be read", from, to, error.message);
    return null;
  }
}
