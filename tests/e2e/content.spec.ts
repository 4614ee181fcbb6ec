import { expectAccessible, expectReadable } from "../a11y/accessible.ts";
import { flow } from "./support/flow.ts";
import { expectNoNetwork, needsNetwork, untilCached, untilWorkerControls } from "./support/offline.ts";
import { ANN, Client, initDataOf, launchHash } from "./support/telegram-client.ts";
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
    // From 77.5 em on there is a column for them.
    const hasColumn = (page.viewportSize()?.width ?? 0) >= 1240;
    await expect(contents).toBeVisible({ visible: hasColumn });
    if (hasColumn) {
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

test("footnotes are distinguishable from their text, and readable", async ({ page, open }) => {
  await open("/docs/fees");
  await page.locator(".w-article-body").evaluate((body) => {
    const mark = (id: string) => `<sup><a href="#${id}">2</a></sup>`;
    const back = `<a href="#section-note-fnref" class="data-footnote-backref" aria-label="Back to the text, note 1.2">↩${mark("section-note-fnref").replace(/<.?a[^>]*>/g, "")}</a>`;
    body.innerHTML += `<p id="section-note-fnref">Words ${mark("section-note-fn")} and more words.</p>
      <section class="footnotes"><h2>Notes</h2><ol><li id="section-note-fn"><p>A note of many words. ${back}</p></li></ol></section>`;
  });
  await expectAccessible(page);
  for (const mark of await page.locator(".w-article-body sup").all())
    expect(
      await mark.evaluate((one) => Number(getComputedStyle(one).fontSize.replace("px", ""))),
    ).toBeGreaterThanOrEqual(12);
});

test("the docs are searched by keyboard alone", { tag: "@desktop" }, async ({ page, open, texts: { content } }) => {
  await open("/docs");
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: content("search.label.docs") });
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
  await expect(field).toBeFocused();
  await page.keyboard.type("qqqqq");
  await expect(page.getByRole("status").filter({ hasText: content("search.none") })).toBeVisible();
});

test("the found pages lie above the page, are closed by what is done elsewhere, and come back with the field", async ({
  page,
  open,
  texts: { content },
}) => {
  await open("/docs");
  const field = page.getByRole("combobox", { name: content("search.label.docs") });
  const list = page.getByRole("listbox", { name: content("search.results") });
  await field.fill("fee");
  await expect(list).toBeVisible();
  // The page's margin: on a phone the list covers all else that leads nowhere.
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.click(width - 4, height * 0.75);
  await expect(list).toBeHidden();
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await field.click();
  await expect(list).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(list).toBeHidden();
  await field.click();
  const option = list.getByRole("option").filter({ hasText: "Fixed and floating rates" }).first();
  const box = await option.boundingBox();
  if (box === null) throw new Error("the page is not found");
  // Its right end, beyond the column of the field.
  await page.mouse.click(box.x + box.width - 6, box.y + box.height / 2);
  await expect(page).toHaveURL(/\/docs\/fixed-and-floating/);
});

test("a search result opens at its section, of another page and of this one, and one step leads back", async ({
  page,
  open,
  texts: { content },
}) => {
  await open("/docs/refunds");
  const field = page.getByRole("combobox", { name: content("search.label.docs") });
  const find = async (words: string) => {
    await field.fill(words);
    await expect(
      page
        .getByRole("listbox", { name: content("search.results") })
        .getByRole("option")
        .first(),
    ).toBeVisible();
    await field.press("Enter");
  };
  await find("small amounts");
  await expect(page).toHaveURL(/\/docs\/fees#section-small-amounts$/);
  await expect(page.getByRole("heading", { level: 2, name: "Small amounts" })).toBeInViewport();
  await find("what a refund costs");
  await expect(page).toHaveURL(/\/docs\/fees#section-what-a-refund-costs$/);
  await expect(page.getByRole("heading", { level: 2, name: "What a refund costs" })).toBeInViewport();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Refunds" })).toBeVisible();
  // A page that is found as a whole begins at its top.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await find("checking an address");
  await expect(page.getByRole("heading", { level: 1, name: "Checking an address" })).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test(
  "a search engine's visitor finds the words searched for",
  { tag: "@phone" },
  async ({ page, open, texts: { content } }) => {
    await open("/docs?q=confirmations");
    await expect(page.getByRole("combobox", { name: content("search.label.docs") })).toHaveValue("confirmations");
    await expect(
      page
        .getByRole("listbox", { name: content("search.results") })
        .getByRole("option")
        .first(),
    ).toBeVisible();
  },
);

test(
  "an article that lacks a translation names its own language alone, and the other one leads to its section",
  { tag: "@desktop" },
  async ({ page, open, lang }) => {
    await page.route("**/content/docs/*?*slug=confirmations*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), translations: [lang] } });
    });
    await open("/docs");
    await page
      .getByRole("main")
      .locator(`section a[href="${pathIn(lang, "/docs/confirmations")}"]`)
      .click();
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", /\/docs\/confirmations$/);
    const languages = await page
      .locator('link[rel="alternate"][hreflang]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("hreflang")));
    expect(languages).toEqual(lang === "en" ? ["en", "x-default"] : ["ru"]);
    const other = lang === "en" ? "ru" : "en";
    await expect(page.locator(`header a[hreflang="${other}"]`)).toHaveAttribute("href", pathIn(other, "/docs"));
    // Where it isn't translated it isn't found.
    await page.unroute("**/content/docs/*?*slug=confirmations*");
    const missing = await page.request.get(pathIn("ru", "/docs/not-translated"));
    expect(missing.status()).toBe(404);
    expect(await missing.text()).toContain("Страница не найдена");
  },
);

test(
  "in Telegram an article opens by its deeplink, in the client's colours",
  { tag: "@phone" },
  async ({ page, lang, problems, texts: { share } }) => {
    // A user whom the service doesn't know yet is created then (contract §4).
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    const client = await Client.around(page);
    await page.goto(pathIn(lang, `/?tgWebAppStartParam=docs___confirmations${launchHash(initDataOf(ANN))}`));
    await expect(page.getByRole("heading", { level: 1, name: "Network confirmations" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.getByRole("button", { name: share("share") }).click();
    await expect.poll(() => client.of("web_app_open_tg_link")).toHaveLength(1);
    await expectReadable(page);
  },
);

test("a link in an article stays in the app", { tag: "@phone" }, async ({ page, open }) => {
  await open("/docs/confirmations");
  await page.evaluate(() => document.body.setAttribute("data-same", ""));
  await page.locator('.w-article-body a[href="/docs/fixed-and-floating-rates"]').click();
  await expect(page).toHaveURL(/\/docs\/fixed-and-floating-rates$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fixed and floating rates");
  await expect(page.locator("body")).toHaveAttribute("data-same", "");
});

test("the blog is searched, and the calculator comes beside an article once its place is looked at", async ({
  page,
  open,
  texts: { content, exchange },
}) => {
  await open("/blog");
  const field = page.getByRole("combobox", { name: content("search.label.blog") });
  await field.fill("before you send");
  await expect(
    page
      .getByRole("listbox", { name: content("search.results") })
      .getByRole("option")
      .first(),
  ).toBeVisible();
  await field.press("Enter");
  await expect(page).toHaveURL(/\/blog\/before-you-send$/);
  const calculator = page.getByRole("region", { name: exchange("calculator.label") });
  const link = page.getByRole("main").getByRole("link", { name: content("blog.exchange") });
  await page.getByRole("heading", { name: content("blog.exchangeTitle") }).scrollIntoViewIfNeeded();
  await expect(calculator).toBeVisible();
  await expect(link).toBeHidden();
  await expect(page.getByRole("link", { name: exchange("calculator.continue") })).toHaveAttribute(
    "href",
    /step=destination/,
  );
  await expectAccessible(page);
});

test.describe("without a network", () => {
  test.use({ hasWorker: true });

  test(
    "articles that were read open again, inside the app and by their address",
    { tag: "@phone" },
    async ({ page, context, open, problems, texts }) => {
      await open("/docs");
      await untilWorkerControls(page);
      await open("/docs");
      const section = page.getByRole("main").locator("section");
      await section.locator('a[href="/docs/confirmations"]').click();
      const title = page.getByRole("heading", { level: 1, name: "Network confirmations" });
      await expect(title).toBeVisible();
      await untilCached(page, ["/docs", "/content/docs/en?slug=confirmations"]);

      expectNoNetwork(problems);
      await context.setOffline(true);
      await page.goto("/docs");
      await section.locator('a[href="/docs/confirmations"]').click();
      await expect(title).toBeVisible();
      await page.reload();
      await expect(title).toBeVisible();
      await page.goto("/docs/late-and-wrong-deposits");
      await expect(needsNetwork(page, texts)).toBeVisible();
    },
  );
});
