import type { Page } from "@playwright/test";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { Problems } from "./support/problems.ts";
import { expect, test as base } from "./support/test.ts";

/** Tests of the watch itself: what it finds is compared, not failed on. */
const test = base.extend({
  problems: async ({ context }, give) => {
    const problems = new Problems();
    problems.watch(context);
    await give(problems);
  },
});

const inject = (page: Page, script: string) => page.evaluate(script);

test.describe("the page-error monitor", { tag: "@desktop" }, () => {
  test("sees nothing on a correct page", async ({ open, problems }) => {
    await open("/");
    expect(problems.list()).toEqual([]);
  });

  test("sees console messages and exceptions", async ({ page, open, problems }) => {
    await open("/");
    await inject(page, "console.error('an error'); console.warn('a warning'); console.info('no problem')");
    await inject(page, "setTimeout(() => { throw new Error('an exception') })");
    await expect.poll(() => problems.list().join("\n")).toMatch(/an error[^]*a warning[^]*an exception/);
    expect(problems.list()).toHaveLength(3);
    problems.expectSaid(/a warning/);
    expect(problems.list()).toHaveLength(2);
  });

  test("sees a hydration mismatch", async ({ page, problems }) => {
    await page.route("/", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(<a [^>]*w-frame__skip[^>]*>)[^<]*/, "$1Another text");
      await route.fulfill({ response: answer, body });
    });
    await page.goto("/");
    await untilHydrated(page);
    await expect.poll(() => problems.list().join("\n")).toMatch(/418|hydrat/i);
  });

  test("sees refused and lost requests, and lets pass only those that a test names", async ({
    page,
    open,
    problems,
  }) => {
    await open("/");
    await page.route("/api/v1/lost", (route) => route.abort("connectionfailed"));
    await inject(page, "fetch('/api/v1/nothing'); fetch('/api/v1/lost').catch(() => undefined); undefined");
    await expect.poll(() => problems.list()).toHaveLength(4);
    problems.expect({ url: "/api/v1/nothing", as: 404 });
    expect(problems.list()).toHaveLength(2);
    problems.expect({ url: "/api/v1/lost", as: "failed" });
    expect(problems.list()).toEqual([]);
  });

  test("sees what the content policy stops", async ({ page, open, problems }) => {
    await open("/");
    await inject(
      page,
      "document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))",
    );
    await expect.poll(() => problems.list().join("\n")).toMatch(/Content Security Policy/i);
  });
});
