import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GuardContext } from "./guard.ts";
import { GUARDS_BEFORE_LOADING, GUARDS_BESIDE_LOADING, runGuards } from "./run-guards.ts";
import { guestContext, fakeApi, navigationTo } from "./testing/guest-context.ts";

const ALL = [...GUARDS_BEFORE_LOADING, ...GUARDS_BESIDE_LOADING];
const seo = {
  "seo.home.title": "T",
  "seo.home.description": "D",
  "seo.home.openGraph": "{}",
  "seo.home.twitter": "{}",
};

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue(undefined));
afterEach(() => vi.restoreAllMocks());

/** A context in which every guard leaves a trace. */
function traced(changes: Partial<GuardContext> = {}) {
  const trace: string[] = [];
  const note = <Answer>(name: string, answer: Answer) => (trace.push(name), answer);
  const api = fakeApi({
    instruments: () => note("1 listing", [] as unknown[]),
    seoTexts: () => note("5 seo", seo),
  });
  // Its session turns out to be over, so that what the guards after it do for guests alone is done.
  let isAuthorised = true;
  const context = guestContext({
    api,
    account: {
      get isAuthorised() {
        return isAuthorised;
      },
      fetchedAt: null,
      refresh: async () => {
        isAuthorised = false;
        note("2 account", undefined);
      },
    },
    storeReferral: () => note("3 referral", undefined),
    redirects: async () => note("6 redirects", [{ from: "/", to: "/exchange-a-b", status: 302 as const }]),
    ...changes,
  });
  return { trace, run: async (url: string) => (await runGuards(ALL, navigationTo(url), context))?.to ?? null };
}

describe("the guards of spec §2", () => {
  it.each([
    ["/?cur_from=A&cur_to=B&ref=r", ["1 listing"], "/"],
    ["/ua/?ref=r", ["2 account", "3 referral"], "/uk?ref=r"],
    ["//?ref=r", ["2 account", "3 referral"], "/?ref=r"],
    ["/?ref=r", ["2 account", "3 referral", "5 seo", "6 redirects"], "/exchange-a-b?ref=r"],
    ["/order/x", ["2 account", "6 redirects"], null],
  ])("run in their order: %s does %j and goes to %s", async (url, expected, to) => {
    const { trace, run } = traced();
    expect(await run(url)).toBe(to);
    expect(trace).toEqual(expected);
  });

  it("end with the one that fails for good", async () => {
    const { trace, run } = traced({ isSeoChecked: true, api: fakeApi({ seoTexts: () => ({}) }) });
    await expect(run("/")).rejects.toThrow("SEO keys");
    expect(trace).toEqual(["2 account"]);
  });
});
