import { expect, it } from "vitest";
import { explorerLink } from "./explorer-link.ts";

it.each([
  ["https://etherscan.io/tx/{tx}", "0xab", "https://etherscan.io/tx/0xab"],
  ["https://x.test/{}?a=1", "a/b", "https://x.test/a%2Fb?a=1"],
  ["javascript:alert({tx})", "1", null],
  ["https://x.test/", "1", null],
  [null, "1", null],
  ["https://etherscan.io/tx/{tx}", "internal-0xab-1", null],
])("%s with %s: %s", (template, value, link) => expect(explorerLink(template, value)).toBe(link));
