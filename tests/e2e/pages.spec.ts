import { expectAccessible } from "../a11y/accessible.ts";
import { LOCALE_NAMES } from "#contract/locale.ts";
import { flow } from "./support/flow.ts";
import { newOrder } from "./support/orders.ts";
import { calculatorOf } from "./support/screens.ts";
import { expect, pathIn, test } from "./support/test.ts";
import { LOCALES, textsOf } from "./support/texts.ts";

const PAIR = "/exchange-eth-usdt-erc20";
const UNKNOWN_ORDER = `/order/${"A".repeat(22)}`;

test.describe("the server's own answers", { tag: "@desktop" }, () => {
  for (const [path, status, to] of [
    ["/", 200],
    ["/ru", 200],
    ["/popular-exchanges", 200],
    ["/docs/api", 200],
    ["/swap-api", 200],
    ["/swap-api/", 302, "/swap-api"],
    [PAIR, 200],
    [`/ru${PAIR}`, 200],
    ["/order/pending", 200],
    ["/ru/", 302, "/ru"],
    ["/ru//exchange-eth-usdt-erc20/?amount=1", 302, `/ru${PAIR}?amount=1`],
    ["/exchange", 302, "/"],
    ["/ru/exchange", 302, "/ru"],
    ["/exchange?cur_from=ETH&cur_to=USDTERC20&ref=r", 302, `${PAIR}?ref=r`],
    [`${PAIR}?send=dai-erc20`, 302, "/exchange-dai-erc20-usdt-erc20?amount=500"],
    ["/nothing-here", 404],
    ["/ru/nothing-here", 404],
    ["/exchange-eth-nocoin", 404],
    ["/exchange-eth-eth", 404],
    ["/exchange-eth", 404],
    [UNKNOWN_ORDER, 404],
    [`${UNKNOWN_ORDER}?destinationAddress=0x0000000000000000000000000000000000000001`, 404],
  ] as const) {
    test(`${path} is ${status}`, async ({ request }) => {
      const answer = await request.get(path, { maxRedirects: 0 });
      expect([answer.status(), answer.headers()["location"]]).toEqual([status, to]);
    });
  }

  test("an order opens with its own address alone", async ({ request, api }) => {
    const { orderId, destinationAddress } = await newOrder(api);
    const statusOf = async (query: string) => (await request.get(`/order/${orderId}${query}`)).status();
    expect(await statusOf(`?destinationAddress=${destinationAddress}`)).toBe(200);
    expect(await statusOf("")).toBe(404);
    expect(await statusOf("?destinationAddress=0x0000000000000000000000000000000000000001")).toBe(404);
  });
});

for (const lang of LOCALES) {
  test.describe(`in ${lang}`, { tag: lang === "en" ? "@phone" : "@desktop" }, () => {
    test.use({ lang });

    test("a page names its language, itself and the same page in the other one", async ({
      page,
      open,
      texts,
      baseURL,
    }) => {
      for (const path of ["/", PAIR]) {
        await open(`${path}?amount=0.5`);
        await expect(page.locator("html")).toHaveAttribute("lang", lang);
        const head = (selector: string, attribute: string) =>
          page.locator(`head > ${selector}`).getAttribute(attribute);
        expect(await head('link[rel="canonical"]', "href")).toBe(baseURL + pathIn(lang, path));
        for (const other of LOCALES)
          expect(await head(`link[hreflang="${other}"]`, "href")).toBe(baseURL + pathIn(other, path));
      }
      await expect(page).toHaveTitle(`${texts.exchange("page.title", { fromName: "ETH", toName: "USDT" })} · Wherry`);
    });
  });
}

flow("the popular exchanges name what each pair pays, and lead to it", async ({ page, open, person, texts, lang }) => {
  await open("/");
  await person.press(page.getByRole("main").getByRole("link", { name: texts.home("rates.popular") }));
  await expect(page.getByRole("heading", { level: 1, name: texts.home("popular.title") })).toBeVisible();
  const row = page.getByRole("row", { name: /^ETH → USDT/ }).first();
  await expect(row).toContainText(/\d\sUSDT/);
  await expectAccessible(page);
  await person.press(row.getByRole("link").first());
  await expect(page).toHaveURL(pathIn(lang, PAIR));
  await expect(calculatorOf(page, texts).send).toBeVisible();
});

flow("an unknown address is a 404 page that offers links", async ({ page, open, person, texts, problems, lang }) => {
  problems.expect({ url: pathIn(lang, "/nothing-here"), as: 404 });
  await open("/nothing-here");
  await expect(page).toHaveTitle(texts.common("notFound.headTitle"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts.common("notFound.title"));
  await person.press(page.getByRole("link", { name: texts.common("notFound.exchange") }));
  await expect(calculatorOf(page, texts).send).toBeVisible();
});

flow(
  "an order that was opened without its address can be looked up again",
  async ({ page, open, person, texts, problems, api }) => {
    const { orderId, destinationAddress } = await newOrder(api);
    problems.expect({ url: `/order/${orderId}`, as: 404 });
    await open(`/order/${orderId}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts.order("lookup.knownTitle"));
    await expect(page.getByText(texts.order("lookup.code"), { exact: true })).toBeHidden();
    await expect(page.getByRole("status").filter({ hasText: texts.order("lookup.state.PENDING") })).toBeVisible();
    await person.type(page.getByLabel(texts.order("lookup.address")), destinationAddress);
    await person.press(page.getByRole("button", { name: texts.order("lookup.find") }));
    await expect(page.getByRole("button", { name: texts.order("sandbox.pay") })).toBeVisible();
  },
);
flow("the language is changed on the current page, and saved", async ({ page, open, person, context, texts, lang }) => {
  const other = LOCALES.find((locale) => locale !== lang) ?? lang;
  await open(`${PAIR}?amount=0.5`);
  await person.press(page.locator(`header summary[aria-label^="${lang.toUpperCase()}."]`));
  await person.press(page.getByRole("link", { name: LOCALE_NAMES[other], exact: true }).first());
  await expect(page).toHaveURL(pathIn(other, `${PAIR}?amount=0.5`));
  await expect(page.locator("html")).toHaveAttribute("lang", other);
  await expect(calculatorOf(page, textsOf(other)).send).toHaveValue("0.5");
  await expect(calculatorOf(page, texts).send).toHaveCount(0);
  const cookies = await context.cookies();
  const cookie = cookies.find(({ name }) => name === "i18n_redirected");
  expect(cookie).toMatchObject({ value: other, path: "/", sameSite: "Lax" });
  expect(((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400).toBeCloseTo(365, 0);
});
