import { allMessages } from "../../shared/i18n/all-messages.ts";
import { afterEach, describe, expect, it } from "vitest";
import { addMessages, createI18n } from "../../shared/i18n/create-i18n.ts";
import { applyHead, headTags, renderHead } from "./head.ts";
import { definePage } from "../router/define-page.ts";
import type { PageView } from "../router/page-view.ts";
import { matchRoute } from "../router/route-table.ts";

const origin = "https://wherry.example";
const query = new URLSearchParams("amount=1&destinationAddress=0x1");
const english = createI18n("en", allMessages("en"));
const russian = createI18n("ru", allMessages("ru"));

function page(path: string, title: string, values: Record<string, string> = {}, isIndexed = true): PageView {
  const match = matchRoute(path);
  if (match === null) throw new Error(path);
  const module = definePage({
    Page: () => null,
    load: async () => ({ kind: "page", data: null }),
    head: () => ({ title, description: "About", values, isIndexed }),
  });
  return { kind: "page", status: 200, data: null, module, ...match };
}

const parse = (html: string) => new DOMParser().parseFromString(`<head>${html}</head>`, "text/html").head;
const attribute = (head: ParentNode, selector: string, name: string) =>
  head.querySelector(selector)?.getAttribute(name);

afterEach(() => document.head.replaceChildren());

describe("the head", () => {
  it("names the page, its canonical address and the same page in every language", () => {
    const path = "/exchange-eth-btc";
    const head = parse(renderHead(headTags({ view: page(path, "ETH to BTC"), i18n: russian, path, query, origin })));
    expect(head.querySelector("title")?.textContent).toBe("ETH to BTC");
    expect(attribute(head, 'link[rel="canonical"]', "href")).toBe(`${origin}/ru${path}`);
    const alternates = [...head.querySelectorAll('link[rel="alternate"]')].map((link) => [
      link.getAttribute("hreflang"),
      link.getAttribute("href"),
    ]);
    expect(alternates).toEqual([
      ["en", origin + path],
      ["ru", `${origin}/ru${path}`],
      ["x-default", origin + path],
    ]);
    expect(attribute(head, 'meta[property="og:locale"]', "content")).toBe("ru_RU");
    expect(head.querySelector('meta[name="robots"]')).toBeNull();
  });

  it("keeps an order out of search, and names it by what opens it", () => {
    const head = parse(
      renderHead(headTags({ view: page("/order/abc", "Order"), i18n: english, path: "/order/abc", query, origin })),
    );
    expect(attribute(head, 'meta[name="robots"]', "content")).toBe("noindex");
    expect(attribute(head, 'link[rel="canonical"]', "href")).toBe(`${origin}/order/abc?destinationAddress=0x1`);
    expect(attribute(head, 'link[hreflang="ru"]', "href")).toBe(`${origin}/ru/order/abc?destinationAddress=0x1`);
  });

  it("keeps a page out of search that says so, under its own address", () => {
    const path = "/exchange-eth-doge";
    const view = page(path, "ETH to DOGE", {}, false);
    const head = parse(renderHead(headTags({ view, i18n: english, path, query, origin })));
    expect(attribute(head, 'meta[name="robots"]', "content")).toBe("noindex");
    expect(attribute(head, 'link[rel="canonical"]', "href")).toBe(origin + path);
  });

  it("writes no address for what is not there", () => {
    const order = page("/order/abc", "Order");
    for (const view of [{ kind: "notFound", message: "" } as const, { ...order, status: 404 } as PageView]) {
      const head = parse(renderHead(headTags({ view, i18n: english, path: "/order/abc", query, origin })));
      expect(attribute(head, 'meta[name="robots"]', "content")).toBe("noindex");
      expect(head.querySelector("link")).toBeNull();
      expect(head.innerHTML).not.toContain("/order/");
    }
  });

  it("takes the fetched texts, with the page's values in them, for title, description and both cards", () => {
    const i18n = createI18n("en", allMessages("en"));
    const card = (kind: string) => JSON.stringify({ title: `${kind} {{from}}`, description: "c" });
    addMessages(i18n, {
      seo: { home: { title: "T {{from}}", description: "D", openGraph: card("og"), twitter: card("tw") } },
    });
    const view = page("/", "Own", { from: '"BTC"' });
    const head = parse(renderHead(headTags({ view, i18n, path: "/", query, origin })));
    expect(head.querySelector("title")?.textContent).toBe('T "BTC"');
    expect(attribute(head, 'meta[name="description"]', "content")).toBe("D");
    expect(attribute(head, 'meta[property="og:title"]', "content")).toBe('og "BTC"');
    expect(attribute(head, 'meta[name="twitter:title"]', "content")).toBe('tw "BTC"');
    expect(attribute(head, 'meta[property="og:image"]', "content")).toBe(`${origin}/icons/card.png`);
    expect(attribute(head, 'meta[name="twitter:card"]', "content")).toBe("summary_large_image");
  });

  it("writes texts as text, whatever they contain", () => {
    const title = '"><script>alert(1)</script>&amp;';
    const html = renderHead(headTags({ view: page("/", title), i18n: english, path: "/", query, origin }));
    const head = parse(html);
    expect(head.querySelector("script")).toBeNull();
    expect(head.querySelector("title")?.textContent).toBe(title);
    expect(attribute(head, 'meta[property="og:title"]', "content")).toBe(title);
  });

  it("is replaced, not added to, by a navigation inside the app", () => {
    document.head.innerHTML = `<meta charset="utf-8">${renderHead(headTags({ view: page("/", "One"), i18n: english, path: "/", query, origin }))}`;
    const tags = headTags({
      view: page("/exchange-a-b", "Two"),
      i18n: english,
      path: "/exchange-a-b",
      query,
      origin,
    });
    applyHead(tags);
    expect([...document.head.querySelectorAll("title")].map(({ textContent }) => textContent)).toEqual(["Two"]);
    expect(document.head.querySelectorAll('link[rel="canonical"]')).toHaveLength(1);
    expect(document.head.querySelector("meta[charset]")).not.toBeNull();
    expect(document.head.querySelectorAll("[data-head]")).toHaveLength(tags.length);
  });
});
