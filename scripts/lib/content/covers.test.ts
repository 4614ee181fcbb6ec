import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { drawCovers } from "./covers.ts";

const svg = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 30"><rect width="80" height="30" fill="${colour}"/></svg>`;
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#0f2238" } })
    .png()
    .toBuffer();

function folders() {
  const folder = mkdtempSync(join(tmpdir(), "wherry-covers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [drawings, cache] = [join(folder, "drawings"), join(folder, "cache")];
  mkdirSync(drawings);
  const write = (file: string, content: string | Buffer) => writeFileSync(join(drawings, file), content);
  return { write, cache, draw: () => drawCovers(drawings, cache) };
}

const sizesIn = async (cache: string) =>
  Promise.all(
    readdirSync(cache)
      .sort()
      .map(async (file) => {
        const { format, width, height } = await sharp(join(cache, file)).metadata();
        return [file, format === "heif" ? "avif" : format, width, height];
      }),
  );

const expected = (key: string) =>
  [1200, 480, 800].flatMap((width) =>
    ["avif", "webp"].map((format) => [`${key}-${width}.${format}`, format, width, (width * 3) / 8]),
  );

it("a cover is drawn in every width as AVIF and WebP, once for all builds", async () => {
  const { write, cache, draw } = folders();
  write("boat.svg", svg("#0f2238"));
  const { path = "", files = [] } = (await draw()).get("boat") ?? {};
  expect(path).toMatch(/^\/covers\/boat-[0-9a-f]{10}$/);
  expect([...files].sort()).toEqual(readdirSync(cache).sort());
  expect(await sizesIn(cache)).toEqual(expected(path.slice("/covers/".length)));
  const drawnAt = statSync(join(cache, files[0] ?? "")).mtimeMs;
  await draw();
  expect(statSync(join(cache, files[0] ?? "")).mtimeMs).toBe(drawnAt);
  write("boat.svg", svg("#43c2b6"));
  expect((await draw()).get("boat")?.path).not.toBe(path);
});

it("a photo of another shape is cut to a cover's", async () => {
  const { write, cache, draw } = folders();
  write("boat.png", await photo(1_600, 1_200));
  const cover = (await draw()).get("boat");
  expect(await sizesIn(cache)).toEqual(expected(cover?.path.slice("/covers/".length) ?? ""));
});

it.each([
  ["what is no picture", "boat.svg", "<svg", /boat\.svg:1: can't be drawn: /],
  [
    "a drawing that is huge",
    "boat.svg",
    svg("red").replace("<svg", '<svg width="90000" height="90000"'),
    /boat\.svg:1: /,
  ],
  ["a photo that is too small", "boat.png", photo(600, 200), /boat\.png:1: is 600 by 200 pixels/],
  ["another format", "boat.gif", "GIF89a", /boat\.gif:1: a picture ends in \.svg, \.png, \.jpg, \.jpeg, \.webp/],
  ["a name that is no address", "My boat.svg", svg("red"), /My boat\.svg:1: "My boat" can't be a picture's name/],
])("%s is refused by its name, also where no article uses it", async (_, file, content, message) => {
  const { write, draw } = folders();
  write(file, await content);
  await expect(draw()).rejects.toThrow(message);
});

it("two covers of one name are refused", async () => {
  const { write, draw } = folders();
  write("boat.svg", svg("red"));
  write("boat.png", await photo(1_200, 450));
  await expect(draw()).rejects.toThrow("two covers boat");
});
