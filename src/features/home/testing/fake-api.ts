import type { Instrument } from "#contract/instrument.ts";
import type { Api } from "#contract/ssr.ts";
import { CallError } from "../../../shared/http/call-error.ts";

export const instrument = (slug: string, currencyTitle: string, changes: Partial<Instrument> = {}): Instrument => ({
  currencyTitle,
  networkTitle: "ETH",
  slug,
  bestChangeName: null,
  coinstatValue: null,
  price: "1",
  currencyLogoLink: null,
  currencyFriendlyTitle: currencyTitle,
  networkFriendlyTitle: "Ethereum",
  instrumentType: "other",
  requiresMemo: false,
  precisionDecimals: 18,
  contractAddress: null,
  isPopular: true,
  explorerTx: null,
  explorerAddress: null,
  confirmations: 3,
  networkStandard: null,
  payoutFee: null,
  blockSeconds: null,
  payoutSeconds: null,
  ...changes,
});

/** Answers each call as told; what is not told fails as a service that is not reached. */
export function fakeApi(answers: Record<string, (input?: unknown) => unknown>): Api {
  const call = async (name: string, input?: unknown) => {
    const answer = answers[name];
    if (answer === undefined) throw new CallError({ kind: "network", message: "not reached" });
    return answer(input);
  };
  return { call } as Api;
}

export const refused = (httpStatus: number): CallError =>
  new CallError({
    kind: "coded",
    message: "no",
    httpStatus,
    code: httpStatus < 500 ? "ERR_PAIR_NOT_ACTIVE" : "ERR_INTERNAL_SERVER_ERROR",
  });
