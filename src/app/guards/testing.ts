import type { Api } from "#contract/ssr.ts";
import { createTranslator } from "../../shared/i18n/translator.ts";
import { parseAddress } from "../router/resolve.ts";
import { type GuardWorld, guest, type Move } from "./guard.ts";
import { normalisePath } from "./normal-path.ts";

/** A visit of an address as it was asked for. */
export const moveTo = (asked: string): Move => ({ ...parseAddress(normalisePath(asked) ?? asked), asked });

type Answers = Readonly<Record<string, (input?: unknown) => unknown>>;

/** An API that answers the calls that it is told of, refuses the others, and remembers what it was asked. */
export function fakeApi(answers: Answers = {}): Api & { readonly asked: string[] } {
  const asked: string[] = [];
  const call = async (name: string, input?: unknown) => {
    asked.push(name);
    const answer = answers[name];
    if (answer === undefined) throw new Error(`${name} is not answered`);
    return answer(input);
  };
  return { asked, call: call as Api["call"] };
}

/** The world of a guest whom nothing redirects. */
export const aWorld = (changes: Partial<GuardWorld> = {}): GuardWorld => ({
  api: fakeApi(),
  words: createTranslator("en", {}),
  account: guest,
  now: 0,
  isMiniApp: false,
  isSeoChecked: false,
  keepReferral: () => undefined,
  redirects: async () => [],
  seoFetchedAt: new Map(),
  ...changes,
});
