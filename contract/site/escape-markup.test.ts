import { expect, it } from "vitest";
import { escapeMarkup } from "./escape-markup.ts";

it.each([
  ["", ""],
  ["1 BTC → 2 ETH, и это всё", "1 BTC → 2 ETH, и это всё"],
  ["A & B", "A &amp; B"],
  ["&amp;", "&amp;amp;"],
  ["<script>", "&lt;script&gt;"],
  ['" onload="', "&quot; onload=&quot;"],
  ["' onload='", "&#39; onload=&#39;"],
  ["]]>", "]]&gt;"],
])("writes %j as %j", (text, written) => expect(escapeMarkup(text)).toBe(written));
