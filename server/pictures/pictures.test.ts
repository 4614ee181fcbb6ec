import { describe, expect, it, vi } from "vitest";
import type { PictureFacts } from "./facts.ts";
import { createPictures } from "./pictures.ts";

const factsOf = (title: string): PictureFacts => ({ label: "Docs", title, lead: "", coins: [] });

function drawingByHand() {
  const begun: { title: string; end(): void; fail(error: Error): void }[] = [];
  const draw = vi.fn(async ({ title }: PictureFacts) => {
    const done = Promise.withResolvers<Buffer>();
    begun.push({ title, end: () => done.resolve(Buffer.from(title)), fail: done.reject });
    return done.promise;
  });
  return { begun, draw, isBegun: (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count)) };
}

describe("the pictures of pages", () => {
  it("are drawn once for all who ask, and kept", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw);
    const asked = [pictures.find(factsOf("a")), pictures.find(factsOf("a"))];
    await isBegun(1);
    begun[0]?.end();
    expect((await Promise.all(asked)).map(String)).toEqual(["a", "a"]);
    expect([pictures.has(factsOf("a")), pictures.has(factsOf("b"))]).toEqual([true, false]);
    await pictures.find(factsOf("a"));
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it("are drawn one at a time, and refused where too many wait", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw, { waiting: 2 });
    const asked = [pictures.find(factsOf("a")), pictures.find(factsOf("b"))];
    await expect(pictures.find(factsOf("c"))).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
    await isBegun(1);
    begun[0]?.end();
    await isBegun(2);
    begun[1]?.end();
    expect((await Promise.all(asked)).map(String)).toEqual(["a", "b"]);
    void pictures.find(factsOf("c"));
    await isBegun(3);
  });

  it("that could not be drawn are drawn again", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw);
    const first = pictures.find(factsOf("a"));
    await isBegun(1);
    begun[0]?.fail(new Error("the font is away"));
    await expect(first).rejects.toThrow("the font is away");
    const second = pictures.find(factsOf("a"));
    await isBegun(2);
    begun[1]?.end();
    expect(String(await second)).toBe("a");
  });

  it("that were not asked for longest make room", async () => {
    const pictures = createPictures(async ({ title }) => Buffer.from(title), { kept: 2 });
    for (const title of ["a", "b", "a", "c"]) await pictures.find(factsOf(title));
    expect(["a", "b", "c"].map((title) => pictures.has(factsOf(title)))).toEqual([true, false, true]);
  });
});
