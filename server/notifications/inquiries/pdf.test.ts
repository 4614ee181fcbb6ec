import { describe, expect, it, test } from "vitest";
import { isActivePdf } from "./pdf.ts";

const HEAD = "%PDF-1.7\n1 0 obj <</Type/Catalog";
const TAIL = "/Pages 2 0 R>> endobj\n%%EOF\n";
const pdf = (keys: string, objects = "") => Buffer.from(`${HEAD}${keys}${TAIL}${objects}`, "latin1");

describe("a PDF that acts when it is opened", () => {
  it.each([
    ["opens a site", "/OpenAction <</S/URI/URI(https://evil.example)>>"],
    ["opens a site, without a space", "/OpenAction<</URI(https://evil.example)/S/URI>>"],
    ["opens a site after a comment", "/OpenAction%[0 0 R]\n<</S/URI/URI(a)>>"],
    ["opens a site under another spelling", "/Open#41ction <</S/#55RI/URI(https://evil.example)>>"],
    ["shows a page and opens a site then", "/OpenAction <</S/GoTo/D[3 0 R/Fit]/Next<</S/URI/URI(a)>>>>"],
    ["is of two kinds", "/OpenAction <</S/GoTo/S/URI/URI(a)>>"],
    ["has a kind elsewhere", "/OpenAction <</S 9 0 R/URI(a)>>"],
    ["prints itself", "/OpenAction <</S/Named/N/Print>>"],
    ["hides its kind behind a long text", `/OpenAction <</D(${"x".repeat(4_000)})/S/URI>>`],
    ["opens a document at another server", "/A <</S/GoToR/F(\\\\\\\\evil.example\\\\a)>>"],
    ["opens a document inside", "/AA <</WC <</S/GoToE>>>>"],
    ["acts when a page is shown", "/AA<</O <</S/URI/URI(a)>>>>"],
    ["acts by another object", "/AA 7 0 R"],
    ["plays something", "/A <</S/Rendition/OP 0>>"],
    ["has a script whose name ends with a zero", "/S/JavaScript\0/JS\0(a)"],
  ])("%s", async (_, keys) => {
    expect(await isActivePdf(pdf(keys))).toBe(true);
  });

  it.each([
    ["opens a site", "7 0 obj <</S/URI/URI(https://evil.example)>> endobj"],
    ["opens a site in its newer version", "7 0 obj [3 0 R/Fit] endobj 07  0\nobj<</S/URI/URI(a)>> endobj"],
    ["opens a site, in its older version", "7 0 obj<</URI(a)/S/URI>> endobj 7 0 obj [3 0 R/Fit] endobj"],
    ["opens a site after comments", "7 0 obj [3 0 R/Fit] endobj\n7%a\n0 %b\r%c 1 0\n obj <</S/URI/URI(a)>> endobj"],
    [
      "opens a site after a long comment",
      `7 0 obj [3 0 R/Fit] endobj\n7 0 %${"x".repeat(9_000)}\nobj <</S/URI/URI(a)>>`,
    ],
    ["is not to be seen", "17 0 obj [3 0 R/Fit] endobj"],
  ])("by another object: %s", async (_, objects) => {
    expect(await isActivePdf(pdf("/OpenAction 7 0 R", objects))).toBe(true);
  });
});

describe("a PDF that shows a page", () => {
  it.each([
    ["in a view", "/OpenAction [3 0 R /Fit]"],
    ["by an action", "/OpenAction<</D[3 0 R/XYZ 0 792 1]/S/GoTo/Type/Action>>"],
    ["by a name", "/OpenAction <</S/GoTo/D(chapter \\) >> 1)>>"],
    ["and has a link", "/Annots[<</Subtype/Link/A<</S/URI/URI(https://police.example)>>>>]"],
    ["with a name that begins alike", "/AAPL:Keywords [(a)] /JSON (b) /AA"],
  ])("%s does nothing else", async (_, keys) => {
    expect(await isActivePdf(pdf(keys))).toBe(false);
  });

  it.each(["[3 0 R/Fit]", "<</S/GoTo/D[3 0 R/Fit]>>"])("by another object, %s, does nothing else", async (action) => {
    expect(await isActivePdf(pdf("/OpenAction 7 0 R", `7 0 obj ${action} endobj`))).toBe(false);
  });
});

test("a comment that only ends like an object's head is none", async () => {
  const objects = "7 0 obj [3 0 R/Fit] endobj\n% 7 0\nobj <</S/URI/URI(a)>>";
  expect(await isActivePdf(pdf("/OpenAction 7 0 R", objects))).toBe(false);
});

test.each(["\nobj", "%\nobj", "7 0 obj ", "obj\n"])(
  "other work goes on while 5 MB of %j are searched for an object",
  async (unit) => {
    const file = Buffer.concat([Buffer.from("%PDF-1.7\n/OpenAction 8 0 R\n"), Buffer.alloc(5 * 1_024 * 1_024, unit)]);
    let turns = 0;
    let isOver = false;
    const other = (): void => void ((turns += 1), isOver || setImmediate(other));
    setImmediate(other);
    expect(await isActivePdf(file)).toBe(true);
    isOver = true;
    expect(turns).toBeGreaterThan(100);
  },
);

test.each(["/", "/a", "/#41", "#41", "A", "obj", "%", "/AA("])(
  "other work goes on while 5 MB of %j are searched",
  async (unit) => {
    const file = Buffer.concat([Buffer.from("%PDF-1.7\n/"), Buffer.alloc(5 * 1_024 * 1_024, unit)]);
    let turns = 0;
    let isOver = false;
    const other = (): void => void ((turns += 1), isOver || setImmediate(other));
    setImmediate(other);
    const isActive = await isActivePdf(file);
    isOver = true;
    // Whatever needs a closer look that often is no letter.
    if (unit === "/AA(") expect(isActive).toBe(true);
    else expect([isActive, turns > 100]).toEqual([false, true]);
  },
);

test("names across the borders of slices are read", async () => {
  for (let before = 32 * 1_024 - 40; before < 32 * 1_024 + 4; before += 1)
    expect({ before, isActive: await isActivePdf(Buffer.from(`${"x".repeat(before)}/JavaScript `)) }).toEqual({
      before,
      isActive: true,
    });
});
