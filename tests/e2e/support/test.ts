import { test as base, type Page } from "@playwright/test";
import { Api } from "../../support/http/api.ts";
import { DevnetRpc } from "../../support/chains/devnet-rpc.ts";
import { untilHydrated } from "../../../scripts/bench/web/hydrated.ts";
import { FLOW } from "./flows.ts";
import { byKeyboard, byPointer, type Input, Person } from "./person.ts";
import { Problems } from "./problems.ts";
import { type Locale, type Texts, textsOf } from "./texts.ts";

type Options = {
  readonly lang: Locale;
  readonly input: Input;
  /** Whether the browser has service workers. Without: a context that installs one fetches a hundred files, a quarter of a test's time. */
  readonly hasWorker: boolean;
};

type Fixtures = {
  /** What goes wrong unexpectedly fails the test at its end. */
  readonly problems: Problems;
  readonly texts: Texts;
  /** Opens a page (path without language) and waits until it answers to its reader. */
  readonly open: (path: string) => Promise<void>;
  readonly person: Person;
  /** The API and the chain, used without the browser. */
  readonly api: Api;
  readonly chain: DevnetRpc;
};

export const test = base.extend<Options & Fixtures>({
  lang: ["en", { option: true }],
  input: ["pointer", { option: true }],
  hasWorker: [false, { option: true }],
  problems: [
    async ({ context, hasWorker }, give) => {
      if (!hasWorker) await context.addInitScript(withoutWorkers);
      const problems = new Problems();
      problems.watch(context);
      // A refusal is an answer: the call replaces the socket wherever that is slow.
      problems.expect({ url: "/rates/public/one", as: 422 });
      await give(problems);
      // What a test answers for the server may still be under way when it ends.
      for (const routes of [...context.pages(), context]) await routes.unrouteAll({ behavior: "ignoreErrors" });
      expect(problems.list()).toEqual([]);
    },
    { auto: true },
  ],
  texts: async ({ lang }, give) => give(textsOf(lang)),
  open: async ({ page, lang, colorScheme }, give, { annotations }) => {
    // Any other test may choose a language or a theme before its first page.
    let isSure = !annotations.some(({ type }) => type === FLOW);
    await give(async (path) => {
      await visit(page, pathIn(lang, path));
      if (isSure) return;
      isSure = true;
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme ?? "light");
    });
  },
  person: async ({ page, input, hasTouch }, give) => {
    if (input === "pointer") return give(new Person(byPointer(page, hasTouch)));
    const pointed = await watchPointer(page);
    await give(new Person(byKeyboard(page)));
    expect(pointed, "the mouse was used").toEqual([]);
  },
  api: async ({ baseURL }, give) => give(new Api(baseURL ?? "")),
  chain: async ({ lang: _lang }, give) => give(new DevnetRpc(`http://127.0.0.1:${process.env["DEVNET_EVM_PORT"]}`)),
});

export const { expect } = test;

/** As in browsers that have none: the product then works without, and says nothing. */
function withoutWorkers(): void {
  Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined, configurable: true });
}

/** Records what is done with a mouse or a finger from now on. */
async function watchPointer(page: Page): Promise<string[]> {
  const seen: string[] = [];
  await page.exposeFunction("pointerWasUsed", (what: string) => seen.push(what));
  await page.addInitScript(() => {
    const page = globalThis as unknown as { pointerWasUsed: (what: string) => void };
    addEventListener("pointerdown", ({ target }) => page.pointerWasUsed((target as Element).outerHTML), true);
  });
  return seen;
}

export const pathIn = (lang: Locale, path: string): string =>
  lang === "en" ? path : `/${lang}${path}`.replace(/\/(?=$|\?)/, "");

export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilHydrated(page);
}
