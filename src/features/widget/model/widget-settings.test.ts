import { describe, expect, test } from "vitest";
import { readWidgetQuery, writeWidgetQuery, type WidgetSettings } from "./widget-settings.ts";

const NOTHING: WidgetSettings = {
  from: null,
  to: null,
  amount: null,
  ref: null,
  theme: "system",
  accent: null,
  lang: "en",
  isCompact: false,
  pairs: [],
  parentOrigin: null,
};

const read = (query: string) => readWidgetQuery(new URLSearchParams(query));

test.each<[query: string, settings: Partial<WidgetSettings>]>([
  ["", {}],
  ["from=btc&to=usdt-trc20", { from: "btc", to: "usdt-trc20" }],
  ["from=BTC", { from: "btc" }],
  ["from=<script>&to=a b", {}],
  ["amount=0.05", { amount: "0.05" }],
  ["amount=0,5", { amount: "0,5" }],
  ["amount=-1", {}],
  ["amount=1e9", {}],
  [`amount=${"9".repeat(21)}`, {}],
  ["ref=AB12CD34", { ref: "AB12CD34" }],
  [`ref=${"a".repeat(129)}`, {}],
  ["theme=dark", { theme: "dark" }],
  ["theme=pink", {}],
  ["accent=%230a746f", { accent: "#0a746f" }],
  ["accent=0A746F", { accent: "#0a746f" }],
  ["accent=0af", { accent: "#00aaff" }],
  ["accent=red", {}],
  ["accent=0a746f;}body{display:none", {}],
  ["lang=ru", { lang: "ru" }],
  ["lang=de", {}],
  ["compact=1", { isCompact: true }],
  ["compact=true", { isCompact: true }],
  ["compact=false", {}],
  ["pairs=eth-btc, BTC-ETH,eth-btc,%20,*", { pairs: ["eth-btc", "btc-eth"] }],
])("%s", (query, settings) => {
  expect(read(query)).toEqual({ ...NOTHING, ...settings });
});

describe("the parent's origin is an origin and nothing else", () => {
  test.each(["https://shop.example", "http://localhost:8080", "https://xn--80ak6aa92e.example:8443"])(
    "%s",
    (origin) => {
      expect(read(`parentOrigin=${encodeURIComponent(origin)}`).parentOrigin).toBe(origin);
    },
  );

  test.each([
    "*",
    "null",
    "/",
    "https://shop.example/",
    "https://shop.example/path",
    "https://shop.example:443",
    "https://user@shop.example",
    "https://*.example",
    "//shop.example",
    "shop.example",
    "file:///home/page.html",
    "javascript:alert(1)",
    "data:text/html,x",
  ])("not %s", (text) => {
    expect(read(`parentOrigin=${encodeURIComponent(text)}`).parentOrigin).toBeNull();
  });
});

test("what is written is read again", () => {
  const settings: WidgetSettings = {
    from: "btc",
    to: "usdt-trc20",
    amount: "0.05",
    ref: "AB & CD",
    theme: "dark",
    accent: "#0a746f",
    lang: "ru",
    isCompact: true,
    pairs: ["btc-usdt-trc20", "eth-btc"],
    parentOrigin: "https://shop.example",
  };
  expect(readWidgetQuery(writeWidgetQuery(settings))).toEqual(settings);
});

test("the defaults are left out, but not a chosen language: without one an element has its page's", () => {
  expect(writeWidgetQuery(NOTHING).toString()).toBe("lang=en");
  expect(writeWidgetQuery({ theme: "system" }).toString()).toBe("");
});
