import { describe, expect, it, vi } from "vitest";
import type { PictureFacts } from "./facts.ts";
import { createPictures } from "./pictures.ts";

const CLIENT = { address: "192.0.2.1", network: null };
const other = (n: number) => ({ address: `192.0.2.${n}`, network: null });
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
  it("are drawn once for all requests, and cached", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw);
    const asked = [pictures.find(factsOf("a"), CLIENT), pictures.find(factsOf("a"), CLIENT)];
    await isBegun(1);
    begun[0]?.end();
    expect((await Promise.all(asked)).map(String)).toEqual(["a", "a"]);
    expect([pictures.has(factsOf("a")), pictures.has(factsOf("b"))]).toEqual([true, false]);
    await pictures.find(factsOf("a"), CLIENT);
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it("are drawn one at a time, and refused where too many wait", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw, { waiting: 1 });
    const asked = [pictures.find(factsOf("a"), CLIENT), pictures.find(factsOf("b"), CLIENT)];
    await expect(pictures.find(factsOf("c"), CLIENT)).rejects.toMatchObject({ code: "ERR_SERVICE_UNAVAILABLE" });
    await isBegun(1);
    begun[0]?.end();
    await isBegun(2);
    begun[1]?.end();
    expect((await Promise.all(asked)).map(String)).toEqual(["a", "b"]);
    void pictures.find(factsOf("c"), CLIENT);
    await isBegun(3);
  });

  it("that one client asks for take no more than its share of the places", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw, { waiting: 4, waitingOfClient: 2 });
    const asked = ["a", "b", "c"].map((title) => pictures.find(factsOf(title), other(2)));
    const refused = { code: "ERR_SERVICE_UNAVAILABLE", retryAfterSeconds: 5 };
    await expect(pictures.find(factsOf("d"), other(2))).rejects.toMatchObject(refused);
    expect(pictures.has(factsOf("d"))).toBe(false);
    asked.push(pictures.find(factsOf("e"), other(3)), pictures.find(factsOf("f"), other(4)));
    await expect(pictures.find(factsOf("g"), other(5))).rejects.toMatchObject(refused);
    asked.push(pictures.find(factsOf("c"), other(2)));
    for (let n = 1; n <= 5; n += 1) {
      await isBegun(n);
      begun[n - 1]?.end();
    }
    expect((await Promise.all(asked)).map(String)).toEqual(["a", "b", "c", "e", "f", "c"]);
  });

  it("that could not be drawn are drawn again", async () => {
    const { begun, draw, isBegun } = drawingByHand();
    const pictures = createPictures(draw);
    const first = pictures.find(factsOf("a"), CLIENT);
    await isBegun(1);
    begun[0]?.fail(new Error("the font is away"));
    await expect(first).rejects.toThrow("the font is away");
    const second = pictures.find(factsOf("a"), CLIENT);
    await isBegun(2);
    begun[1]?.end();
    expect(String(await second)).toBe("a");
  });

  it("that were not asked for longest make room", async () => {
    const pictures = createPictures(async ({ title }) => Buffer.from(title), { kept: 2 });
    for (const title of ["a", "b", "a", "c"]) await pictures.find(factsOf(title), CLIENT);
    expect(["a", "b", "c"].map((title) => pictures.has(factsOf(title)))).toEqual([true, false, true]);
  });
});
