import { afterEach, describe, expect, test, vi } from "vitest";
import { insideTelegram, fakeTelegramClient } from "./testing/fake-client.ts";
import { canPaste, pasteText } from "./clipboard.ts";
import type { TelegramClient } from "./telegram-client.ts";

const around = vi.hoisted(() => ({ telegram: null as TelegramClient | null }));
vi.mock("./load-client.ts", () => ({ loadTelegramClient: async () => around.telegram }));

let leave: () => void = () => undefined;
afterEach(() => {
  leave();
  around.telegram = null;
  vi.unstubAllGlobals();
});

/** A browser whose clipboard holds this, and what it says of the permission to read it; `unknown` throws, as Safari does. */
function browser(text: string | null, state: PermissionState | "unknown" = "prompt") {
  const readText = async () => {
    if (text === null) throw new DOMException("refused", "NotAllowedError");
    return text;
  };
  const query = async () => {
    if (state === "unknown") throw new TypeError("no such permission");
    return { state };
  };
  vi.stubGlobal("navigator", { clipboard: { readText }, permissions: { query } });
}

/** A client that gives this to the launch, or its clipboard to no launch like it. */
function client(gives: { readonly text: string | null } | null) {
  leave = insideTelegram();
  around.telegram = fakeTelegramClient(
    gives === null ? { canReadClipboard: false } : { canReadClipboard: true, readClipboard: async () => gives.text },
  );
}

describe("a button that pastes", () => {
  test("is there on the web", async () => {
    browser(null, "denied");
    expect(await canPaste()).toBe(true);
  });

  test.each([
    ["prompt", true],
    ["granted", true],
    ["unknown", true],
    ["denied", false],
  ] as const)("inside Telegram is there by the web view's permission, %s: %s", async (state, isThere) => {
    client(null);
    browser("", state);
    expect(await canPaste()).toBe(isThere);
  });

  test("is there where the client gives its clipboard, whatever the web view says", async () => {
    client({ text: "x" });
    browser(null, "denied");
    expect(await canPaste()).toBe(true);
  });

  test("is not there where nothing can be read", async () => {
    client(null);
    vi.stubGlobal("navigator", {});
    expect(await canPaste()).toBe(false);
  });
});

describe("what is pasted", () => {
  test.each<[string, Parameters<typeof client>[0], string | null, string | null]>([
    ["the client's where it gives one", { text: "0xab" }, "bc1q", "0xab"],
    ["the web view's where the client gives none", { text: null }, "bc1q", "bc1q"],
    ["the web view's where the client withholds it", null, "bc1q", "bc1q"],
    ["nothing where both refuse", { text: null }, null, null],
  ])("inside Telegram is %s", async (_, gives, held, pasted) => {
    client(gives);
    browser(held);
    expect(await pasteText()).toBe(pasted);
  });

  test("is the browser's on the web", async () => {
    browser(" bc1q\n");
    expect(await pasteText()).toBe("bc1q");
  });
});
