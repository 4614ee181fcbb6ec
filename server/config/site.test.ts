import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigError } from "../base/startup-error.ts";
import { readSiteConfig } from "./site.ts";

const folder = mkdtempSync(join(tmpdir(), "wherry-site-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

function withRedirects(content: string) {
  const file = join(folder, "redirects.json");
  writeFileSync(file, content);
  return readSiteConfig({ REDIRECTS_FILE: file }, TERMS);
}
const rules = (...list: unknown[]) => withRedirects(JSON.stringify(list));

const TERMS = { fixedHoldSeconds: 1_200 };

describe("the settings of pages", () => {
  it("have defaults that send nothing anywhere", () => {
    expect(readSiteConfig({ ANALYTICS: " " }, TERMS)).toEqual({
      settings: {
        connectivityUrl: "https://cloudflare-dns.com/dns-query?name=example.com",
        isSeoChecked: false,
        isAnalyticsOn: false,
        partnerCode: null,
        miniAppUrl: null,
        sourceUrl: null,
        rateLockMinutes: 20,
      },
      redirects: [],
    });
  });

  it("are read from the environment and the catalogue", () => {
    const env = {
      CONNECTIVITY_URL: "https://dns.example/q",
      SEO_CHECK: "on",
      ANALYTICS: "1",
      PARTNER_CODE: "p1",
      MINI_APP_URL: "https://t.me/a_bot/app",
      SOURCE_URL: "https://code.example/wherry",
    };
    const { settings } = readSiteConfig(env, { fixedHoldSeconds: 959 });
    expect(settings).toEqual({
      connectivityUrl: "https://dns.example/q",
      isSeoChecked: true,
      isAnalyticsOn: true,
      partnerCode: "p1",
      miniAppUrl: "https://t.me/a_bot/app",
      sourceUrl: "https://code.example/wherry",
      rateLockMinutes: 15,
    });
  });

  it("name every wrong variable", () => {
    const read = () =>
      readSiteConfig({ CONNECTIVITY_URL: "ftp://x", SEO_CHECK: "perhaps", SOURCE_URL: "javascript:1" }, TERMS);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/CONNECTIVITY_URL[\s\S]*SEO_CHECK[\s\S]*SOURCE_URL/);
  });

  it("reads redirects with their default status", () => {
    const own = { from: "/old", to: "/exchange-eth-btc?amount=1" };
    const away = { from: "/shop", to: "https://shop.example/", status: 301 };
    expect(rules(own, away).redirects).toEqual([{ ...own, status: 302 }, away]);
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
  ])("refuses %s", (_, list, message) => {
    expect(() => rules(...list)).toThrow(ConfigError);
    expect(() => rules(...list)).toThrow(message);
  });

  it("refuses a file that is not there or not JSON", () => {
    expect(() => readSiteConfig({ REDIRECTS_FILE: join(folder, "none") }, TERMS)).toThrow(ConfigError);
    expect(() => withRedirects("[")).toThrow(ConfigError);
  });
});
