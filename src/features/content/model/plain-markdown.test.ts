import { expect, test } from "vitest";
import { blocksOf, piecesOf } from "./plain-markdown.ts";

test("a description is headings, paragraphs, lists and code", () => {
  const text =
    "## Signing\n\nEvery call\nis signed:\n\n- one,\n  still one\n- two\n\n```\ncurl\n\n- no list\n```\n\nThe end.";
  expect(blocksOf(text)).toEqual([
    { kind: "heading", text: "Signing" },
    { kind: "paragraph", text: "Every call\nis signed:" },
    { kind: "list", items: ["one,\n  still one", "two"] },
    { kind: "code", text: "curl\n\n- no list" },
    { kind: "paragraph", text: "The end." },
  ]);
});

test("every second piece of a line is code", () => {
  expect(piecesOf("`ERR_A`: see `data`")).toEqual(["", "ERR_A", ": see ", "data", ""]);
});
