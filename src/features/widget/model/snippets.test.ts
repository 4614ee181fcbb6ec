import { expect, test } from "vitest";
import { SNIPPETS, snippetOf } from "./snippets.ts";

const ORIGIN = "https://wherry.example";
const settings = { from: "btc", to: "eth", ref: "AB12", isCompact: true };

test("HTML is a script and an element", () => {
  expect(snippetOf("html", settings, ORIGIN)).toBe(
    '<script src="https://wherry.example/embed.js" async></script>\n' +
      '<wherry-widget from="btc" to="eth" data-ref="AB12" compact="1"></wherry-widget>',
  );
});

test("WordPress makes a block of what is pasted", () => {
  expect(snippetOf("wordpress", settings, ORIGIN)).toMatch(/^<!-- wp:html -->\n<script .*<!-- \/wp:html -->$/s);
});

test("React loads the script once, and never has an attribute that it keeps for itself", () => {
  const code = snippetOf("react", settings, ORIGIN);
  expect(code).toContain('script.src = "https://wherry.example/embed.js"');
  expect(code).toContain('"data-ref": "AB12"');
  expect(code).not.toMatch(/\bref:|"ref"/);
});

test.each(SNIPPETS)("the chosen language is named, whatever the page's own is: %s", (kind) => {
  expect(snippetOf(kind, { lang: "en" }, ORIGIN)).toMatch(/lang(?:=|: )"en"/);
});

test.each(SNIPPETS)("what was typed stays text: %s", (kind) => {
  expect(snippetOf(kind, { ref: '"><script>alert(1)</script>' }, ORIGIN)).not.toContain("<script>alert");
});
