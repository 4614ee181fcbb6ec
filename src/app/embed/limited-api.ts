import type { AnswerOf, CallName } from "#contract/calls.ts";
import type { PairList } from "#contract/instrument.ts";
import type { Api } from "#contract/site/ssr.ts";
import { limitPairs } from "../../features/widget/model/opening-pair.ts";

/**
 * The calls, with a catalogue that has the widget's pairs alone: its loaders and its lists know no others. Nothing is traded by card
 * there, which needs a sign-in.
 */
export function limitedApi(api: Api, pairs: readonly string[]): Api {
  const limited = async (): Promise<PairList> => {
    const all = await api.call("pairs");
    return pairs.length === 0 ? all : limitPairs(all, pairs);
  };
  return {
    async call(name, ...input) {
      if (name === "pairs") return (await limited()) as AnswerOf<typeof name>;
      if (isOfProvider(name, input[0])) return [] as unknown as AnswerOf<typeof name>;
      const answer = await api.call(name, ...input);
      return name === "instruments" && pairs.length > 0
        ? (offered(answer as AnswerOf<"instruments">, await limited()) as AnswerOf<typeof name>)
        : answer;
    },
  };
}

const isOfProvider = (name: CallName, input: { readonly query?: unknown } | undefined): boolean =>
  name === "instruments" && typeof input?.query === "object" && input.query !== null && "providers" in input.query;

function offered(instruments: AnswerOf<"instruments">, pairs: PairList): AnswerOf<"instruments"> {
  const slugs = new Set(pairs.flatMap(({ from, to }) => [from, ...to]));
  return instruments.filter(({ slug }) => slugs.has(slug));
}
