import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { insideTelegram, fakeTelegramClient } from "./testing/fake-client.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { share } from "./share.ts";

const around = vi.hoisted(() => ({ telegram: null as TelegramClient | null }));
vi.mock("./load-client.ts", () => ({ loadTelegramClient: async () => around.telegram }));

const PAIR = { title: "ETH to BTC", url: "https://wherry.example/ru/exchange-eth-btc", path: "/exchange-eth-btc" };
const MINI_APP = "https://t.me/a_bot/app";
const DEEPLINK = `${MINI_APP}?startapp=ex___eth-btc`;
const outside = { ...PAIR, miniAppUrl: MINI_APP };

const copied: string[] = [];
const clipboard = { writeText: async (text: string) => void copied.push(text) };
let leave: () => void = () => undefined;

beforeEach(() => {
  copied.length = 0;
});
afterEach(() => {
  leave();
  vi.unstubAllGlobals();
});

describe("on the web", () => {
  test("the device's own sheet takes the page's address", async () => {
    const shared: unknown[] = [];
    vi.stubGlobal("navigator", { clipboard, share: async (data: unknown) => void shared.push(data) });
    expect(await share(outside)).toBe("shared");
    expect(shared).toEqual([{ title: PAIR.title, url: PAIR.url }]);
    expect(copied).toEqual([]);
  });

  test.each([
    ["closed by its reader is an answer", "AbortError", "shared", []],
    ["that fails leaves the address copied", "NotAllowedError", "copied", [PAIR.url]],
  ] as const)("a sheet %s", async (_, name, outcome, copies) => {
    vi.stubGlobal("navigator", { clipboard, share: () => Promise.reject(new DOMException("no", name)) });
    expect(await share(outside)).toBe(outcome);
    expect(copied).toEqual(copies);
  });

  test("a device without one copies the address", async () => {
    vi.stubGlobal("navigator", { clipboard });
    expect(await share(outside)).toBe("copied");
    expect(copied).toEqual([PAIR.url]);
  });
});

describe("inside Telegram", () => {
  const client = (can: boolean) => {
    leave = insideTelegram();
    const offered: string[][] = [];
    around.telegram = fakeTelegramClient({
      shareLink(url, text) {
        offered.push([url, text]);
        return can;
      },
    });
    vi.stubGlobal("navigator", { clipboard });
    return offered;
  };

  test("chats are offered the link that opens the mini-app", async () => {
    const offered = client(true);
    expect(await share(outside)).toBe("shared");
    expect(offered).toEqual([[DEEPLINK, PAIR.title]]);
  });

  test("chats are offered the page's address where there is no mini-app to open", async () => {
    const offered = client(true);
    expect(await share({ ...PAIR, miniAppUrl: null })).toBe("shared");
    expect(offered).toEqual([[PAIR.url, PAIR.title]]);
  });

  test("an old client leaves the link copied", async () => {
    client(false);
    expect(await share(outside)).toBe("copied");
    expect(copied).toEqual([DEEPLINK]);
  });
});
