import type { PairData } from "#contract/rate.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../shared/http/call-error.ts";

export type SwapApiData = {
  readonly coins: number;
  readonly networks: number;
  readonly pairs: number;
  /** A rate as this server has just answered it; null where it had none. */
  readonly sample: { readonly path: string; readonly answer: SampleAnswer } | null;
};

type SampleAnswer = Pick<
  PairData,
  | "amountToGive"
  | "amountToGet"
  | "rateMode"
  | "price"
  | "platformFee_Absolute"
  | "finalNetworkFeeAmount"
  | "depositRules"
  | "estimatedSeconds"
  | "updatedAt"
> & { readonly instrumentFrom: { readonly slug: string }; readonly instrumentTo: { readonly slug: string } };

/** What the page shows is what this server answers now. */
export async function loadSwapApi(api: Api): Promise<SwapApiData> {
  const [instruments, pairs, sample] = await Promise.all([
    api.call("instruments", { query: {} }),
    api.call("pairs"),
    loadSample(api),
  ]);
  const crypto = instruments.filter(({ instrumentType }) => instrumentType !== "fiat");
  return {
    coins: new Set(crypto.map(({ currencyTitle }) => currencyTitle)).size,
    networks: new Set(crypto.map(({ networkTitle }) => networkTitle)).size,
    pairs: pairs.reduce((sum, { to }) => sum + to.length, 0),
    sample,
  };
}

async function loadSample(api: Api): Promise<SwapApiData["sample"]> {
  try {
    const { instrumentFrom: from, instrumentTo: to } = await api.call("defaultPair");
    const { recommendedAmount } = await api.call("recommendedAmount", {
      query: {
        instrumentFromCurrencyTitle: from.currencyTitle,
        instrumentFromNetworkTitle: from.networkTitle,
        instrumentToCurrencyTitle: to.currencyTitle,
        instrumentToNetworkTitle: to.networkTitle,
      },
    });
    const query = {
      instrumentFromSlug: from.slug,
      instrumentToSlug: to.slug,
      claimedDepositAmount: recommendedAmount,
    };
    const answer = await api.call("rate", { query });
    const path = `/api/v2/rates/public/one?${new URLSearchParams(query).toString()}`;
    return { path, answer: shownOf(answer) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    console.warn("the page of the API has no rate to show", error.code, error.message);
    return null;
  }
}

const shownOf = (answer: PairData): SampleAnswer => ({
  instrumentFrom: { slug: answer.instrumentFrom.slug },
  instrumentTo: { slug: answer.instrumentTo.slug },
  rateMode: answer.rateMode,
  amountToGive: answer.amountToGive,
  amountToGet: answer.amountToGet,
  price: answer.price,
  platformFee_Absolute: answer.platformFee_Absolute,
  finalNetworkFeeAmount: answer.finalNetworkFeeAmount,
  depositRules: answer.depositRules,
  estimatedSeconds: answer.estimatedSeconds,
  updatedAt: answer.updatedAt,
});
