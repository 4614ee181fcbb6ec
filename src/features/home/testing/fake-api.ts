import type { Instrument } from "#contract/instrument.ts";
import type { Api } from "#contract/site/ssr.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { sampleInstrument } from "../../../shared/testing/sample-instrument.ts";

export const instrument = (slug: string, currencyTitle: string, changes: Partial<Instrument> = {}): Instrument =>
  sampleInstrument(slug, { currencyTitle, ...changes });

/** Answers each call as given; what is not given fails as a service that is not reached. */
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
