import { afterEach, describe, expect, test, vi } from "vitest";
import { insideMessenger, messengerOf } from "../lib/testing/messenger.ts";
import { canPaste, pasteText } from "./clipboard.ts";
import type { Messenger } from "./messenger/port.ts";

const around = vi.hoisted(() => ({ messenger: null as Messenger | null }));
vi.mock("./messenger/open.ts", () => ({ openMessenger: async () => around.messenger }));

let leave: () => void = () => undefined;
afterEach(() => {
  leave();
  around.messenger = null;
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

/** A client that gives its clipboard to this launch, or to no launch like it. */
function client(given: string | null | "withheld") {
  leave = insideMessenger();
  around.messenger = messengerOf(
    given === "withheld" ? { givesClipboard: false } : { givesClipboard: true, readClipboard: async () => given },
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
  ] as const)("inside the messenger is there by the web view's permission, %s: %s", async (state, isThere) => {
    client("withheld");
    browser("", state);
    expect(await canPaste()).toBe(isThere);
  });

  test("is there where the client gives its clipboard, whatever the web view says", async () => {
    client("x");
    browser(null, "denied");
    expect(await canPaste()).toBe(true);
  });

  test("is not there where nothing can be read", async () => {
    client("withheld");
    vi.stubGlobal("navigator", {});
    expect(await canPaste()).toBe(false);
  });
});

describe("what is pasted", () => {
  test.each<[string, string | null | "withheld" | "web", string | null, string | null]>([
    ["the browser's on the web", "web", " bc1q\n", "bc1q"],
    ["the client's where it gives one", "0xab", "bc1q", "0xab"],
    ["the web view's where the client gives none", null, "bc1q", "bc1q"],
    ["the web view's where the client withholds it", "withheld", "bc1q", "bc1q"],
    ["nothing where both refuse", null, null, null],
  ])("is %s", async (_, given, held, pasted) => {
    if (given !== "web") client(given);
    browser(held);
    expect(await pasteText()).toBe(pasted);
  });
});
