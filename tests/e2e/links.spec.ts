import type { APIRequestContext } from "@playwright/test";
import { newOrder, orderPath } from "./support/orders.ts";
import { expect, test } from "./support/test.ts";

const MISSING = "/nothing-here";

const decode = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");

const valuesOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = ""]) => decode(value));

/** Reads pages from the first ones on, through every link of our own, and gives each link that leads nowhere. */
async function deadLinks(request: APIRequestContext, origin: string, first: readonly string[]) {
  const read = new Map<string, Promise<{ status: number; html: string }>>();
  const readPage = (path: string) => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const reading = request.get(path).then(async (answer) => ({ status: answer.status(), html: await answer.text() }));
    read.set(path, reading);
    return reading;
  };
  const dead: string[] = [];
  const left = [...first];
  const followed = new Set(left);
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const { html } = await readPage(path);
    for (const href of valuesOf(html, /<a\s[^>]*?href="([^"]*)"/g)) {
      const target = new URL(href, origin + path);
      // The page that is missing on purpose links to itself, in both languages.
      if (target.origin !== origin || target.pathname.endsWith(MISSING)) continue;
      const to = target.pathname + target.search;
      const { status, html: found } = await readPage(to);
      const id = decodeURIComponent(target.hash.slice(1));
      if (status !== 200) dead.push(`${path} → ${href}: ${status}`);
      else if (id !== "" && !found.includes(`id="${id}"`)) dead.push(`${path} → ${href}: no such place`);
      else if (!followed.has(to) && found.startsWith("<!")) {
        followed.add(to);
        left.push(to);
      }
    }
  }
  return { dead, pages: followed.size };
}

test(
  "every link of every page, in both languages, leads to a page or a place on it",
  { tag: "@desktop" },
  async ({ request, api, baseURL }) => {
    test.setTimeout(240_000);
    const order = orderPath(await newOrder(api));
    const paths = [
      "/",
      "/popular-exchanges",
      "/blog",
      "/docs",
      "/swap-api",
      "/orders",
      "/stop-refund",
      "/order/pending",
      order,
      MISSING,
    ];
    const first = ["", "/ru"].flatMap((prefix) => paths.map((path) => (prefix + path).replace(/(.)\/$/, "$1")));
    const { dead, pages } = await deadLinks(request, baseURL ?? "", first);
    expect(dead).toEqual([]);
    expect(pages).toBeGreaterThan(first.length);
  },
);
