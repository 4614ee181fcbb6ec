import { existsSync, readFileSync } from "node:fs";
import type { Locale } from "#contract/locale.ts";
import { describe, expect, it } from "vitest";
import { manifestFile, manifestOf } from "./manifests.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT));

type Picture = { src: string; sizes: string; type: string; purpose?: string; form_factor?: string };
type Made = {
  id: string;
  lang: string;
  start_url: string;
  scope: string;
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { name: string; url: string; icons: Picture[] }[];
};

const madeIn = (locale: Locale): Made =>
  JSON.parse(
    manifestOf(
      read("manifest.webmanifest").toString(),
      locale,
      JSON.parse(read(`locales/${locale}/manifest.json`).toString()),
    ),
  );

/** Width and height as the file itself says: PNG's header, or that of extended WebP, which Chromium writes. */
function sizeOf(file: Buffer): string {
  if (file.toString("latin1", 1, 4) === "PNG") return `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`;
  expect(file.toString("latin1", 8, 16)).toBe("WEBPVP8X");
  return `${file.readUIntLE(24, 3) + 1}x${file.readUIntLE(27, 3) + 1}`;
}

describe.each([
  ["en", "manifest.webmanifest", "/?source=pwa", "/orders?source=shortcut"],
  ["ru", "manifest.ru.webmanifest", "/ru?source=pwa", "/ru/orders?source=shortcut"],
] as const)("the manifest in %s", (locale, file, start, orders) => {
  const manifest = madeIn(locale);

  it("is the same app in every language, and opens it in its own", () => {
    expect(manifestFile(locale)).toBe(file);
    expect(manifest).toMatchObject({ id: "/", scope: "/", lang: locale, start_url: start });
    expect(manifest.shortcuts.map(({ url }) => url)).toContain(orders);
    expect(JSON.stringify(manifest)).not.toContain("{{");
  });

  it("names existing pictures in their true sizes", () => {
    const pictures = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap(({ icons }) => icons)];
    for (const { src, sizes } of pictures) {
      expect([src, existsSync(new URL(`public${src}`, ROOT))]).toEqual([src, true]);
      if (sizes !== "any") expect([src, sizeOf(read(`public${src}`))]).toEqual([src, sizes]);
    }
  });

  it("has what installing asks for: both icons of 512, and screenshots of both widths", () => {
    const large = manifest.icons.filter(({ sizes }) => sizes === "512x512").map(({ purpose }) => purpose);
    expect(new Set(large)).toEqual(new Set(["any", "maskable"]));
    expect(new Set(manifest.screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(["narrow", "wide"]));
  });
});

it("a missing text stops the build", () => {
  expect(() => manifestOf('{"name":"{{shortcuts.none}}"}', "en", { shortcuts: {} })).toThrow("shortcuts.none");
});
