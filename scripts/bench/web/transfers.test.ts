import { expect, test } from "vitest";
import { inlineStyleBytes, listFiles, sumTransfers, type Transfer } from "./transfers.ts";

const transfer = (changes: Partial<Transfer>): Transfer => ({
  path: "/assets/index.js",
  contentType: "text/javascript; charset=utf-8",
  contentEncoding: "br",
  bytes: 1000,
  allBytes: 1200,
  byWorker: false,
  ...changes,
});

const transfers = [
  transfer({ path: "/", contentType: "text/html; charset=utf-8", bytes: 5000, allBytes: 5600 }),
  transfer({}),
  transfer({ path: "/assets/vendor.js", contentType: "application/javascript", bytes: 60_000, allBytes: 60_200 }),
  transfer({ path: "/assets/index.css", contentType: "text/css; charset=utf-8", bytes: 300, contentEncoding: null }),
  transfer({ path: "/assets/order.js", bytes: 9000, allBytes: 9100, byWorker: true }),
];

test("scripts and styles are summed apart, and what the service worker caches is not part of the first load", () => {
  expect(sumTransfers(transfers)).toEqual({ js: 61_000, css: 300, total: 68_200, requests: 4 });
});

test("the heaviest file is named first, and one without brotli is marked", () => {
  expect(listFiles(transfers)).toEqual([
    "    60.0 kB  /assets/vendor.js",
    "     1.0 kB  /assets/index.js",
    "     0.3 kB  /assets/index.css  (not compressed)",
  ]);
});

test("inline styles count with their text alone", () => {
  const style = Array.from({ length: 50 }, (_, index) => `.w-part-${index}{inset:${index * 7}px}`).join("");
  const html = `<head><style>${style}</style><link rel="stylesheet" disabled></head><body>${"<p>text</p>".repeat(99)}`;
  expect(inlineStyleBytes(html)).toBeGreaterThan(100);
  expect(inlineStyleBytes(html)).toBeLessThan(style.length);
  expect(inlineStyleBytes(html.replace("<p>text</p>", ""))).toBe(inlineStyleBytes(html));
  expect(inlineStyleBytes("<p></p>")).toBe(0);
});
