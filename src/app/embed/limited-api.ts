import type { AnswerOf } from "#contract/calls.ts";
import type { PairList } from "#contract/instrument.ts";
import type { Api } from "#contract/ssr.ts";
import { limitPairs } from "../../features/widget/model/opening-pair.ts";

/** The calls, with a catalogue that has the widget's pairs alone: its loaders and its lists know no others. */
export function limitedApi(api: Api, pairs: readonly string[]): Api {
  if (pairs.length === 0) return api;
  const limited = async (): Promise<PairList> => limitPairs(await api.call("pairs"), pairs);
  return {
    async call(name, ...input) {
      if (name === "pairs") return (await limited()) as AnswerOf<typeof name>;
      const answer = await api.call(name, ...input);
      return name === "instruments"
        ? (offered(answer as AnswerOf<"instruments">, await limited()) as AnswerOf<typeof name>)
        : answer;
    },
  };
}

function offered(instruments: AnswerOf<"instruments">, pairs: PairList): AnswerOf<"instruments"> {
  const slugs = new Set(pairs.flatMap(({ from, to }) => [from, ...to]));
  return instruments.filter(({ slug }) => slugs.has(slug));
}
