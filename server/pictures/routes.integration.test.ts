import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noDatabase } from "../../tests/support/database/no-database.ts";
import type { Articles } from "../content/articles.ts";
import { testApp, type TestApp } from "../../tests/support/http/http-app.ts";
import { coinDrawings, createDrawing, type DrawPicture } from "./index.ts";

const MARKS = fileURLToPath(new URL("../../public/icons/coins.svg", import.meta.url));
const drawn: string[] = [];
const draw = createDrawing(coinDrawings(MARKS));
const drawPicture: DrawPicture = (facts) => {
  drawn.push(`${facts.label}: ${facts.title}`);
  return draw(facts);
};
const articles = {
  find: async ({ section, locale }: { section: string; locale: string }, slug: string) =>
    section === "docs" && locale === "ru" && slug === "guides/fees"
      ? { article: { title: "Комиссии", description: "Из чего складывается цена." } }
      : null,
} as unknown as Articles;

let app: TestApp;
beforeAll(async () => {
  app = await testApp(noDatabase(), { articles, drawPicture });
});
afterAll(() => app[Symbol.asyncDispose]());

describe("a page's picture", () => {
  it.each([
    ["/pictures/en/exchange-eth-usdt-erc20.png", "Exchange: ETH – USDT"],
    ["/pictures/ru/price/eth.png", "Цена: Ethereum"],
    ["/pictures/ru/docs/guides/fees.png", "Документация: Комиссии"],
  ])("%s is a PNG of 1200 by 630, drawn once", async (url, facts) => {
    drawn.length = 0;
    const { statusCode, headers, rawPayload } = await app.inject(url);
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "image/png",
      "public, max-age=86400",
    ]);
    const { format, width, height } = await sharp(rawPayload).metadata();
    expect([format, width, height]).toEqual(["png", 1200, 630]);
    expect(rawPayload.length).toBeLessThan(150_000);
    await app.inject(url);
    const again = await app.inject({ url, headers: { "if-none-match": String(headers["etag"]) } });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    expect(drawn).toEqual([facts]);
  });

  it("has the letters of both languages", async () => {
    const pictureOf = (lead: string) => draw({ label: "", title: "", lead, coins: [] });
    // Letters that no font has would all look alike.
    expect(await pictureOf("fee")).not.toEqual(await pictureOf("fff"));
    expect(await pictureOf("шум")).not.toEqual(await pictureOf("ууу"));
  });

  it("leaves out what no font has, rather than drawing a box for it", async () => {
    const pictureOf = (title: string) => draw({ label: "", title, lead: "", coins: [] });
    const plain = await pictureOf("Rates of BTC");
    for (const title of ["Rates → of BTC", "Rates of BTC 🚣🏽‍♀️", "汇率 Rates of BTC שלום"])
      expect(await pictureOf(title)).toEqual(plain);
    expect(await pictureOf("汇率")).toEqual(await pictureOf(""));
    const drawn = await Promise.all(["Łódź", "ξ", "₽", "đ", "Ӄ"].map(pictureOf));
    for (const one of drawn) expect(one).not.toEqual(await pictureOf(""));
    expect(new Set(drawn.map(String)).size).toBe(drawn.length);
  });

  it.each([
    "/pictures/en/exchange-eth-btc.png",
    "/pictures/en/exchange-eth-eth.png",
    "/pictures/en/price/nocoin.png",
    "/pictures/en/docs/guides/fees.png",
    "/pictures/ru/blog/guides/fees.png",
    "/pictures/de/price/eth.png",
    "/pictures/en/price/eth.svg",
    "/pictures/en/price/..%2Feth.png",
    "/pictures/en/.png",
    "/pictures/",
  ])("%s is not found", async (url) => expect((await app.inject(url)).statusCode).toBe(404));
});
