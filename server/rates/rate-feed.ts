import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { formatAmount } from "#contract/money.ts";
import { sha256 } from "../base/secrets.ts";
import type { Catalogue, CatalogueInstrument } from "../catalogue/index.ts";
import type { AvailableBalance } from "./pair-data.ts";
import type { PriceSnapshot, Rates } from "./port.ts";
import { type PublishedRate, ratesXml } from "./rates-xml.ts";

export type RateFeedParts = {
  catalogue: Catalogue;
  rates: Pick<Rates, "pairData" | "recommendedAmount" | "snapshot">;
  available: AvailableBalance;
};

type Feed = { readonly text: string; readonly digest: string };

const PATH = "/rates.xml";
/** Pricing so many pairs takes about a millisecond; other requests go on between. */
const PAIRS_AT_A_TIME = 50;
/** More than the monitors list. */
const MAX_PAIRS = 50_000;
/** A pair that can't be had now is left out. */
const NOT_NOW: readonly string[] = ["ERR_PAIR_NOT_ACTIVE", "ERR_NO_LIQUIDITY_AVAILABLE", "ERR_SERVICE_UNAVAILABLE"];

/** Serves the rates of all pairs whose coins exchange monitors know, made once for each price snapshot. */
export function addRateFeed(app: FastifyInstance, parts: RateFeedParts): void {
  const feeds = new WeakMap<PriceSnapshot, Promise<Feed>>();
  const feedOf = (snapshot: PriceSnapshot): Promise<Feed> => {
    const made = feeds.get(snapshot);
    if (made !== undefined) return made;
    const making = makeFeed(parts);
    feeds.set(snapshot, making);
    making.catch(() => feeds.delete(snapshot));
    return making;
  };
  app.get(PATH, async (request, reply) => {
    const { text, digest } = await feedOf(parts.rates.snapshot());
    reply.type("application/xml; charset=utf-8").header("cache-control", "no-cache").header("etag", `W/"${digest}"`);
    // Weak, as a proxy that compresses makes it, and it may stand in a list.
    if (request.headers["if-none-match"]?.includes(`"${digest}"`)) return reply.code(304).send();
    return reply.send(text);
  });
}

async function makeFeed({ catalogue, rates, available }: RateFeedParts): Promise<Feed> {
  const published: PublishedRate[] = [];
  const pairs = listedPairs(catalogue);
  for (const [index, [from, to]] of pairs.entries()) {
    if (index > 0 && index % PAIRS_AT_A_TIME === 0) await setImmediate();
    const rate = publishedRate(rates, from, to, available(to.slug, "FLOATING"));
    if (rate !== null) published.push(rate);
  }
  const text = ratesXml(published);
  return { text, digest: sha256(text).toString("base64url") };
}

type Named = CatalogueInstrument & { bestChangeName: string };

function listedPairs(catalogue: Catalogue): [Named, Named][] {
  const named = [...catalogue.instruments.values()].filter((one): one is Named => one.bestChangeName !== null);
  return named
    .flatMap((from) =>
      named.filter((to) => catalogue.isPairActive(from.slug, to.slug)).map((to): [Named, Named] => [from, to]),
    )
    .slice(0, MAX_PAIRS);
}

function publishedRate(
  rates: RateFeedParts["rates"],
  from: Named,
  to: Named,
  available: bigint | null,
): PublishedRate | null {
  try {
    const rateMode = "FLOATING";
    const claimedDepositAmount = rates.recommendedAmount({ from: from.slug, to: to.slug, rateMode });
    const asked = { instrumentFromSlug: from.slug, instrumentToSlug: to.slug, claimedDepositAmount, rateMode } as const;
    const data = rates.pairData({ ...asked, exchangeType: "crypto" });
    return {
      from: from.bestChangeName,
      to: to.bestChangeName,
      data,
      available: available === null ? null : formatAmount(available, to.decimals),
    };
  } catch (error) {
    if (error instanceof CodedError && NOT_NOW.includes(error.code)) return null;
    throw error;
  }
}
