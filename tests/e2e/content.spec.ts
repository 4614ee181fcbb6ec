import { expectAccessible } from "../a11y/accessible.ts";
import { flow } from "./support/flow.ts";
import { expectNoNetwork, needsNetwork, untilWorkerControls } from "./support/offline.ts";
import { expect, pathIn, test } from "./support/test.ts";

flow(
  "an article is found from the footer, its sections are followed, and the next one is read",
  async ({ page, open, person, texts: { common, content }, lang, baseURL }) => {
    await open("/orders");
    await person.press(page.getByRole("contentinfo").getByRole("link", { name: common("footer.docs") }));
    await expect(page.getByRole("heading", { level: 1, name: content("docs.title") })).toBeVisible();
    await person.press(page.getByRole("main").locator(`section a[href="${pathIn(lang, "/docs/confirmations")}"]`));
    await expect(page).toHaveURL(baseURL + pathIn(lang, "/docs/confirmations"));
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
      "href",
      baseURL + pathIn(lang, "/docs/confirmations"),
    );
    await expectAccessible(page);
    const contents = page.getByRole("navigation", { name: content("article.contents") });
    if (await contents.isVisible()) {
      await person.press(contents.getByRole("link").last());
      await expect(contents.getByRole("link").last()).toHaveAttribute("aria-current", "location");
    }
    const neighbours = page.getByRole("navigation", { name: content("article.neighbours") });
    const title = (await neighbours.locator('[rel="next"]').innerText()).split("\n").at(-1) ?? "";
    await person.press(neighbours.locator('[rel="next"]'));
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.locator("#main")).toBeFocused();
  },
);

test("the docs are searched by keyboard alone", async ({ page, open, texts: { content } }) => {
  await open("/docs");
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: content("search.label") });
  await expect(field).toBeFocused();
  await page.keyboard.type("confirm");
  const options = page.getByRole("listbox", { name: content("search.results") }).getByRole("option");
  await expect(options.first()).toBeVisible();
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/confirmations/);
  await expect(page.getByRole("heading", { level: 1, name: "Network confirmations" })).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("qqqqq");
  await expect(page.getByRole("status").filter({ hasText: content("search.found", { count: 0 }) })).toBeVisible();
});

test("a link in an article stays in the app", async ({ page, open }) => {
  await open("/docs/confirmations");
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  await page.locator('.w-article-body a[href="/docs/fixed-and-floating-rates"]').click();
  await expect(page).toHaveURL(/\/docs\/fixed-and-floating-rates$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fixed and floating rates");
  await expect(page.locator("body")).toHaveAttribute("data-same", "");
});

test.describe("without a network", () => {
  test.use({ hasWorker: true });

  test("articles that were read open again, inside the app and by their address", async ({
    page,
    context,
    open,
    problems,
    texts,
  }) => {
    await open("/docs");
    await untilWorkerControls(page);
    await open("/docs");
    const section = page.getByRole("main").locator("section");
    await section.locator('a[href="/docs/confirmations"]').click();
    const title = page.getByRole("heading", { level: 1, name: "Network confirmations" });
    await expect(title).toBeVisible();

    expectNoNetwork(problems);
    await context.setOffline(true);
    await page.goto("/docs");
    await section.locator('a[href="/docs/confirmations"]').click();
    await expect(title).toBeVisible();
    await page.reload();
    await expect(title).toBeVisible();
    await page.goto("/docs/late-and-wrong-deposits");
    await expect(needsNetwork(page, texts)).toBeVisible();
  });
});
