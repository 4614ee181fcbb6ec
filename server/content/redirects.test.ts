import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigError } from "../base/processes/startup-error.ts";
import { readRedirects } from "./redirects.ts";

const folder = mkdtempSync(join(tmpdir(), "wherry-redirects-"));
afterAll(() => rmSync(folder, { recursive: true }));

function withRedirects(content: string) {
  const file = join(folder, "redirects.json");
  writeFileSync(file, content);
  return readRedirects(file);
}
const rules = (...list: unknown[]) => withRedirects(JSON.stringify(list));

describe("server-defined redirects", () => {
  it("are read with their default status", () => {
    const own = { from: "/old", to: "/exchange-eth-btc?amount=1" };
    const away = { from: "/shop", to: "https://shop.example/", status: 301 };
    expect(rules(own, away)).toEqual([{ ...own, status: 302 }, away]);
  });

  it.each([
    [
      "a circle",
      [
        { from: "/a", to: "/b" },
        { from: "/b", to: "/c?x=1" },
        { from: "/c", to: "/a#y" },
      ],
      /circle/,
    ],
    ["itself", [{ from: "/a", to: "/a" }], /circle/],
    [
      "two rules for one path",
      [
        { from: "/a", to: "/b" },
        { from: "/a", to: "/c" },
      ],
      /two rules/,
    ],
    [
      "a wrong rule, by its place",
      [
        { from: "/a", to: "/b" },
        { from: "b", to: "/c" },
      ],
      /1\.from/,
    ],
  ])("refuse %s", (_, list, message) => {
    expect(() => rules(...list)).toThrow(ConfigError);
    expect(() => rules(...list)).toThrow(message);
  });

  it("refuse a file that is not there or not JSON", () => {
    expect(() => readRedirects(join(folder, "none"))).toThrow(ConfigError);
    expect(() => withRedirects("[")).toThrow(ConfigError);
  });
});
