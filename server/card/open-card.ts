import type { CatalogueInstrument } from "../catalogue/index.ts";
import { createCardRates, type CardRatesParts } from "./card-rates.ts";
import type { MercuryoOptions } from "./mercuryo/http.ts";
import { createMercuryo } from "./mercuryo/mercuryo.ts";
import type { CardProvider, CardRates } from "./port.ts";

type CardKeys = Pick<MercuryoOptions, "secret" | "partnerToken">;
export type OpenCard = { provider: CardProvider; rates: CardRates; keys: CardKeys };

type OpenCardConfig = Pick<CardRatesParts, "noKycThreshold" | "questionsPerMinute"> & {
  mercuryo: (Omit<MercuryoOptions, keyof CardKeys> & { keys: CardKeys | null }) | null;
};
type OpenCardParts = Pick<CardRatesParts, "catalogue" | "rates" | "clock"> & {
  /** Keys of the sandbox's own provider, which are in no configuration. */
  makeKeys(): Promise<CardKeys>;
  /** Whether orders are taken now that have the coin on this side. */
  isStopped(coin: CatalogueInstrument, side: "from" | "to"): boolean;
};

/** The provider of cards with its rates; null where no cards are taken. */
export async function openCard(
  { mercuryo, noKycThreshold, questionsPerMinute }: OpenCardConfig,
  { makeKeys, isStopped, ...parts }: OpenCardParts,
): Promise<OpenCard | null> {
  if (mercuryo === null) return null;
  const keys = mercuryo.keys ?? (await makeKeys());
  const provider = createMercuryo({ ...mercuryo, ...keys });
  const rates = createCardRates({
    ...parts,
    provider,
    noKycThreshold,
    questionsPerMinute,
    isStopped: (coin, direction) => isStopped(coin, direction === "buy" ? "to" : "from"),
  });
  return { provider, rates, keys };
}
