import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { root } from "../../scripts/lib/run.ts";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import { Api } from "../support/http/api.ts";
import { launchData } from "../support/services/launch-data.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { expectHarmless, HOSTILE, watchRequests } from "./support/hostile-text.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { calculatorOf, orderOf } from "./support/screens.ts";
import { Client, launchHash } from "./support/telegram-client.ts";
import { expect, test } from "./support/test.ts";

const INFO = /\/api\/v1\/orders\/public-info\?/;

test.describe("untrusted text at 320 px", { tag: "@desktop" }, () => {
  test.use({ viewport: { width: 320, height: 640 } });

  let strays: string[];
  test.beforeEach(({ page, baseURL }) => {
    strays = watchRequests(page, baseURL ?? "");
  });
  test.afterEach(() => {
    expect(strays).toEqual([]);
  });

  test("in the memos and the email of an order", async ({ page, open, api, texts }) => {
    const order = await newOrder(api);
    await replaceOrder(page, (given) => ({
      ...given,
      destinationAddressMemo: HOSTILE,
      depositAddressMemo: HOSTILE,
      refundAddress: given["destinationAddress"],
      refundAddressMemo: HOSTILE,
      userEmail: HOSTILE,
    }));
    await open(orderPath(order));
    await expect(orderOf(page, texts).pay).toBeVisible();
    await expect(page.getByText('<img src=/pwned onerror="pwned=1">').first()).toBeVisible();
    expect(await page.getByText('<img src=/pwned onerror="pwned=1">').count()).toBeGreaterThanOrEqual(4);
    await expect(page.getByText("⟨U+202E⟩").first()).toBeVisible();
    await expectHarmless(page);
  });

  test("in an address that leads nowhere, and in an order's that is looked up", async ({ page, open, problems }) => {
    problems.expect({ url: /nothing-here|\/order\//, as: 404 });
    // What a path may hold: NUL is refused before any page.
    await open(`/nothing-here-${encodeURIComponent(HOSTILE)}`);
    await expect(page.getByRole("main")).toContainText("pwned");
    await expectHarmless(page);
    await open(`/order/${"A".repeat(22)}?destinationAddress=${encodeURIComponent(HOSTILE)}`);
    await expect(page.getByRole("main")).toBeVisible();
    await expectHarmless(page);
  });

  test("in an invalid query", async ({ page, open }) => {
    const text = encodeURIComponent(HOSTILE);
    await open(
      `/exchange-eth-usdt-erc20?amount=${text}&mode=${text}&step=${text}&address=${text}&memo=${text}&ref=${text}`,
    );
    await expectHarmless(page);
    await open(`/?link=${text}&utm_source=${text}&ref=${text}`);
    await expectHarmless(page);
  });

  test("in the message of a refusal", async ({ page, open, api, texts, problems }) => {
    const order = await newOrder(api);
    problems.expect({ url: "/sandbox/pay", as: 422 });
    await page.route("**/sandbox/pay", (route) =>
      route.fulfill({
        status: 422,
        json: { status: "ERR_UNPROCESSABLE_ENTITY", message: HOSTILE, data: { reason: HOSTILE }, traceId: HOSTILE },
      }),
    );
    await open(orderPath(order));
    await orderOf(page, texts).pay.click();
    await expect(page.getByText('<img src=/pwned onerror="pwned=1">').first()).toBeVisible();
    await expectHarmless(page);
  });

  for (const parameter of ["ex___//evil.test", "order___javascript:alert(1)", "code___<img src=/pwned>", HOSTILE])
    test(`in the deeplink ${JSON.stringify(parameter.slice(0, 30))} and the names of a Telegram user`, async ({
      page,
      baseURL,
      texts,
      problems,
    }) => {
      problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
      await Client.around(page);
      const initData = launchData(SANDBOX_BOT_TOKEN, {
        auth_date: String(Math.floor(Date.now() / 1000)),
        signature: "x",
        start_param: parameter,
        user: JSON.stringify({
          id: 1_000_000 + Math.floor(Math.random() * 1_000_000_000),
          first_name: HOSTILE,
          last_name: HOSTILE,
          username: HOSTILE,
          photo_url: "https://evil.test/pwned.svg",
          language_code: "en",
        }),
      });
      await page.goto(`/?tgWebAppStartParam=${encodeURIComponent(parameter)}${launchHash(initData)}`);
      await expect(page.getByText(texts.telegram("unknownLink"))).toBeVisible();
      expect(new URL(page.url()).origin).toBe(baseURL);
      // The launch may still replace the page's address, and with it the document.
      await expect(() => expectHarmless(page)).toPass();
    });
});

test.describe("a catalogue and articles with a stranger's words, at 320 px", { tag: "@desktop" }, () => {
  test.use({ viewport: { width: 320, height: 640 } });
  test.describe.configure({ mode: "default", timeout: 180_000 });
  const NAMES = ['<img src=/pwned onerror="pwned=1">', "W".repeat(64), "🦊 שלום עולם", "{{ticker}} $t(copy)"];
  let server: ServerProcess;
  let folder: string;
  const articles = hostOfArticles(NAMES);

  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "wherry-catalogue-"));
    const file = join(folder, "catalogue.json");
    writeFileSync(file, JSON.stringify(renamed(NAMES)));
    const CONTENT_URL = await new Promise<string>((resolve) =>
      articles.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(articles.address() as AddressInfo).port}`)),
    );
    server = await ServerProcess.start({ SANDBOX: "on", CATALOGUE_FILE: file, CONTENT_URL });
  });
  test.afterAll(async () => {
    await server.end();
    articles.closeAllConnections();
    articles.close();
    rmSync(folder, { recursive: true });
  });

  test("is shown as text in the lists of articles and in an article", async ({ page }) => {
    const strays = watchRequests(page, server.url);
    for (const path of ["/blog", "/docs", "/blog/exchanging", "/blog/hostile", "/docs/hostile"]) {
      await page.goto(server.url + path);
      await untilHydrated(page);
      await expect(shown(page, NAMES[0])).toBeVisible();
      await expectHarmless(page, NAMES);
    }
    const text = page.locator(".w-docs__text");
    await expect(text).toContainText("said by the article");
    expect(await text.locator("script, iframe, form, style, [onerror], [onclick], [style]").count()).toBe(0);
    await expect(text.getByText("press me")).not.toHaveAttribute("href", /javascript/);
    await expect(shown(page, NAMES[3])).toBeVisible();
    expect(strays).toEqual([]);
  });

  test("is shown as text on every page that names a coin or a network", async ({ page, texts }) => {
    const strays = watchRequests(page, server.url);
    const visit = async (path: string) => {
      await page.goto(server.url + path);
      await untilHydrated(page);
      await expectHarmless(page, NAMES);
    };
    await visit("/");
    await calculatorOf(page, texts).getCoin.click();
    await expect(
      page
        .getByRole("dialog")
        .getByText(NAMES[0] ?? "")
        .first(),
    ).toBeVisible();
    await expectHarmless(page, NAMES);
    await visit("/popular-exchanges");
    await visit("/exchange-eth-usdt-erc20?amount=0.5");
    await visit("/exchange-eth-xrp?amount=0.5&mode=fixed&step=destination");
    await visit(orderPath(await newOrder(new Api(server.url))));
    await visit("/orders");
    expect(strays).toEqual([]);
  });
});

const shown = (page: Page, text = "") => page.getByText(text).filter({ visible: true }).first();

/** Another host of articles (contract §12), whose every word is a stranger's. */
function hostOfArticles(names: readonly string[]): Server {
  const [title = "", long = "", foreign = "", template = ""] = names;
  const item = {
    slug: "hostile",
    title,
    description: `${long} ${template}`,
    category: "exchanging",
    tags: [title, long, foreign, template],
    author: foreign,
    publishedAt: "2026-01-01",
    updatedAt: null,
    minutes: 1,
    cover: null,
  };
  const html = [
    `<p>said by the article</p><img src="/favicon.ico" onload="pwned=1"><script>pwned=2</script><style>body{display:none}</style>`,
    `<p class="w-header" style="position:fixed" onclick="pwned=3">${long}</p><a href="javascript:pwned=4">press me</a>`,
    `<iframe src="//evil.test/"></iframe><form action="//evil.test/"><button>send</button></form>`,
  ].join("");
  const near = { slug: "hostile-too", title: template };
  const toc = [{ id: "section-one", text: template, depth: 2 }];
  const list = {
    items: [item],
    total: 1,
    categories: [{ slug: "exchanging", title: `${template} ${long}`, count: 1 }],
  };
  const article = {
    article: { ...item, html, toc, previous: near, next: near },
    translations: ["en"],
    related: [{ ...item, slug: "hostile-too", title: long }],
  };
  return createServer((request, response) => {
    const slug = new URL(request.url ?? "", "http://host").searchParams.get("slug");
    const answer = slug === null ? list : slug === "hostile" ? article : null;
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
}

/** The order that the browser is told of, with fields as no rule of ours would let them in. */
async function replaceOrder(page: Page, change: (order: Record<string, unknown>) => object): Promise<void> {
  await page.route(INFO, async (route) => {
    const answer = await route.fetch();
    const order: Record<string, unknown> = await answer.json();
    await route.fulfill({ response: answer, json: change(order) });
  });
}

type Titled = { currencyFriendlyTitle: string };
function renamed(names: readonly string[]): object {
  const file: { instruments: Titled[]; networks: Record<string, { friendlyTitle: string }> } = JSON.parse(
    readFileSync(join(root, "server/catalogue/catalogue.json"), "utf8"),
  );
  const nameAt = (index: number) => names[index % names.length] ?? "";
  return {
    ...file,
    instruments: file.instruments.map((one, index) => ({ ...one, currencyFriendlyTitle: nameAt(index) })),
    networks: Object.fromEntries(
      Object.entries(file.networks).map(([title, one], index) => [title, { ...one, friendlyTitle: nameAt(index + 1) }]),
    ),
  };
}
