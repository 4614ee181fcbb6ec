import type { Api } from "#contract/site/ssr.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { parseLocation } from "../../router/page-location.ts";
import { type GuardContext, guest, type Navigation } from "../guard.ts";
import { normalisePath } from "../normal-path.ts";

/** The navigation to a requested URL. */
export const navigationTo = (requested: string): Navigation => ({
  ...parseLocation(normalisePath(requested) ?? requested),
  requested,
});

type Answers = Readonly<Record<string, (input?: unknown) => unknown>>;

/** An API with fixed answers that records the calls and fails every other one. */
export function fakeApi(answers: Answers = {}): Api & { readonly calls: string[] } {
  const calls: string[] = [];
  const call = async (name: string, input?: unknown) => {
    calls.push(name);
    const answer = answers[name];
    if (answer === undefined) throw new Error(`${name} is not answered`);
    return answer(input);
  };
  return { calls, call: call as Api["call"] };
}

/** A guest's context without redirects. */
export const guestContext = (changes: Partial<GuardContext> = {}): GuardContext => ({
  api: fakeApi(),
  i18n: createI18n("en", {}),
  account: guest,
  now: 0,
  isMiniApp: false,
  isSeoChecked: false,
  storeReferral: () => undefined,
  redirects: async () => [],
  seoFetchedAt: new Map(),
  ...changes,
});
