import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { readCovers, writeCovers } from "./covers.ts";

const svg = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 30"><rect width="80" height="30" fill="${colour}"/></svg>`;

it("a cover is written in every width as AVIF and WebP, and drawn once for all builds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wherry-covers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [drawings, target, cache] = [join(folder, "drawings"), join(folder, "target"), join(folder, "cache")];
  mkdirSync(drawings);
  writeFileSync(join(drawings, "boat.svg"), svg("#0f2238"));
  const [, path = ""] = [...readCovers(drawings)][0] ?? [];
  expect(path).toMatch(/^\/covers\/boat-[0-9a-f]{10}$/);
  await writeCovers(drawings, target, cache);
  const files = readdirSync(target).sort();
  expect(files).toEqual(
    [480, 800, 1200].flatMap((width) => ["avif", "webp"].map((format) => `${path.slice(8)}-${width}.${format}`)).sort(),
  );
  for (const file of files) {
    const { format, width, height } = await sharp(join(target, file)).metadata();
    const [, wide] = /-(\d+)\.\w+$/.exec(file) ?? [];
    expect([file, format === "heif" ? "avif" : format, width, height]).toEqual([
      file,
      file.split(".").at(-1),
      Number(wide),
      (Number(wide) * 3) / 8,
    ]);
  }
  const drawnAt = statSync(join(cache, files[0] ?? "")).mtimeMs;
  await writeCovers(drawings, target, cache);
  expect(statSync(join(cache, files[0] ?? "")).mtimeMs).toBe(drawnAt);
  writeFileSync(join(drawings, "boat.svg"), svg("#43c2b6"));
  expect(readCovers(drawings).get("boat")).not.toBe(path);
});
