import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "./client.ts";
import { PopupError } from "../popup-error.ts";
import type { Popup } from "../popup.ts";
import { talkOf } from "./talk.ts";

type Told = [method: string, params: unknown];

/** A client that can what it is said to, and answers when the test lets it. */
function fakeClient({ cannot = [] as string[], version = "8.0", platform = "ios", place = {} } = {}) {
  const told: Told[] = [];
  const listeners = new Map<string, ((payload: unknown) => void)[]>();
  const client = {
    can: (method: string) => !cannot.includes(method),
    tell(method: string, params?: unknown) {
      if (cannot.includes(method)) return false;
      told.push([method, params]);
      return true;
    },
    on: (event: string, listener: (payload: unknown) => void) =>
      void listeners.set(event, [...(listeners.get(event) ?? []), listener]),
  };
  return {
    told,
    say: (event: string, payload?: unknown) => listeners.get(event)?.forEach((listener) => listener(payload)),
    talk: talkOf(client as unknown as Client, { version, platform, place }),
  };
}

const touch = () => dispatchEvent(new Event("pointerdown"));
const FORGET: Popup = {
  title: " Forget? ",
  message: "Gone for good.",
  buttons: [
    { id: "yes", type: "destructive", text: "Forget " },
    { id: "no", type: "cancel" },
  ],
};

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe("a popup", () => {
  test("goes out trimmed, and gives the id of the button that was pressed", async () => {
    const { talk, told, say } = fakeClient();
    const asked = talk.popUp(FORGET);
    say("popup_closed", { button_id: "yes" });

    expect(await asked).toBe("yes");
    expect(told).toEqual([
      [
        "web_app_open_popup",
        {
          title: "Forget?",
          message: "Gone for good.",
          buttons: [
            { id: "yes", type: "destructive", text: "Forget" },
            { id: "no", type: "cancel" },
          ],
        },
      ],
    ]);
  });

  test.each([
    ["nothing", {}],
    ["a button that isn't there", { button_id: "maybe" }],
  ])("closed by %s gives none", async (_, payload) => {
    const { talk, say } = fakeClient();
    const asked = talk.popUp(FORGET);
    say("popup_closed", payload);
    expect(await asked).toBeNull();
  });

  test("that breaks a rule is refused by its code, and nothing goes out", async () => {
    const { talk, told } = fakeClient();
    const refused = talk.popUp({ ...FORGET, title: "x".repeat(65) });
    await expect(refused).rejects.toBeInstanceOf(PopupError);
    await expect(refused).rejects.toMatchObject({ code: "POPUP_TITLE_TOO_LONG" });
    expect(told).toEqual([]);
  });

  test("is refused by a client that is too old", async () => {
    const { talk } = fakeClient({ cannot: ["web_app_open_popup"] });
    await expect(talk.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_UNSUPPORTED" });
  });

  test("is refused while another one is open, and asked after it", async () => {
    const { talk, say } = fakeClient();
    const first = talk.popUp(FORGET);
    await expect(talk.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_BUSY" });
    say("popup_closed", { button_id: "no" });
    expect(await first).toBe("no");
    const second = talk.popUp(FORGET);
    say("popup_closed", { button_id: "yes" });
    expect(await second).toBe("yes");
  });

  test.each([
    ["the page is touched through it", async () => touch()],
    ["a minute passes", () => vi.advanceTimersByTimeAsync(60_000)],
  ])("was never shown when %s, and none is asked again", async (_, pass) => {
    const { talk, told } = fakeClient();
    const [asked] = await Promise.all([talk.popUp(FORGET).catch((error: unknown) => error), pass()]);
    expect(asked).toMatchObject({ code: "POPUP_UNANSWERED" });
    await expect(talk.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_UNSUPPORTED" });
    expect(told).toHaveLength(1);
  });
});

describe("the scanner", () => {
  const HINT = "Point the camera at the code of an address, please do, and hold it still";

  test("gives the first code that holds something, and is closed", async () => {
    const { talk, told, say } = fakeClient();
    const scanned = talk.scanQr(HINT);
    say("qr_text_received", { data: " " });
    say("qr_text_received", { data: "bitcoin:bc1q" });
    say("qr_text_received", { data: "another" });

    expect(await scanned).toEqual({ text: "bitcoin:bc1q" });
    expect(told).toEqual([
      ["web_app_open_scan_qr_popup", { text: HINT.slice(0, 64) }],
      ["web_app_close_scan_qr_popup", undefined],
    ]);
  });

  test("closed by its owner gives nothing", async () => {
    const { talk, say } = fakeClient();
    const scanned = talk.scanQr(HINT);
    say("scan_qr_popup_closed");
    expect(await scanned).toBe("closed");
  });

  test("is not there in a client that is too old", async () => {
    const { talk } = fakeClient({ cannot: ["web_app_open_scan_qr_popup"] });
    expect(await talk.scanQr(HINT)).toBe("unavailable");
  });

  test.each([
    ["8.0", "ios", "unavailable"],
    ["7.6", "ios", "asked"],
    ["7.6", "tdesktop", "unavailable"],
    ["7.10", "android", "unavailable"],
  ])("of %s on %s, touched through, is then %s", async (version, platform, then) => {
    const { talk, told } = fakeClient({ version, platform });
    const scanned = talk.scanQr(HINT);
    touch();
    expect(await scanned).toBe("closed");
    told.length = 0;
    const again = talk.scanQr(HINT);
    if (then === "unavailable") expect(await again).toBe("unavailable");
    expect(told.map(([method]) => method)).toEqual(then === "asked" ? ["web_app_open_scan_qr_popup"] : []);
  });
});

describe("the clipboard", () => {
  test.each([
    ["a chat of the attachment menu", { chat: { id: 1 } }, true],
    ["a person of the attachment menu", { receiver: { id: 1 } }, true],
    ["anything else", {}, false],
  ])("may be given to a launch with %s: %#", (_, place, gives) => {
    expect(fakeClient({ place }).talk.canReadClipboard).toBe(gives);
    expect(fakeClient({ place, cannot: ["web_app_read_text_from_clipboard"] }).talk.canReadClipboard).toBe(false);
  });

  test("is read by the answer to this very question", async () => {
    const { talk, say } = fakeClient();
    const read = talk.readClipboard();
    say("clipboard_text_received", { req_id: "another", data: "theirs" });
    say("clipboard_text_received", { req_id: "clipboard-1", data: " ours\n" });
    expect(await read).toBe("ours");
  });

  test.each([[null], [undefined], [" "]])("that is refused as %j gives nothing", async (data) => {
    const { talk, say } = fakeClient();
    const read = talk.readClipboard();
    say("clipboard_text_received", { req_id: "clipboard-1", data });
    expect(await read).toBeNull();
  });

  test("that the client says nothing of is given up in two seconds", async () => {
    const read = fakeClient().talk.readClipboard();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await read).toBeNull();
  });
});

describe("links", () => {
  test.each([
    ["https://t.me/wherry_bot?start=x", "web_app_open_tg_link", { path_full: "/wherry_bot?start=x" }],
    ["https://t.me.evil.example/x", "web_app_open_link", { url: "https://t.me.evil.example/x" }],
    ["https://etherscan.io/tx/0x1", "web_app_open_link", { url: "https://etherscan.io/tx/0x1" }],
  ])("%s goes by %s", (url, method, params) => {
    const { talk, told } = fakeClient();
    expect(talk.openLink(url)).toBe(true);
    expect(told).toEqual([[method, params]]);
  });

  test("of an old client all go by its browser, and none is shared", () => {
    const { talk, told } = fakeClient({ cannot: ["web_app_open_tg_link"] });
    expect(talk.openLink("https://t.me/x")).toBe(true);
    expect(talk.shareLink("https://t.me/x", "y")).toBe(false);
    expect(told).toEqual([["web_app_open_link", { url: "https://t.me/x" }]]);
  });

  test("are shared with spaces that every client reads, and a plus that stays one", () => {
    const { talk, told } = fakeClient();
    expect(talk.shareLink("https://t.me/b?startapp=order___a___b", "1 + 1 & more")).toBe(true);
    expect(told).toEqual([
      [
        "web_app_open_tg_link",
        {
          path_full: "/share/url?url=https%3A%2F%2Ft.me%2Fb%3Fstartapp%3Dorder___a___b&text=1%20%2B%201%20%26%20more",
        },
      ],
    ]);
  });
});

describe("the home screen", () => {
  test.each([
    ["missed", true],
    ["unknown", true],
    ["added", false],
    ["unsupported", false],
    [undefined, false],
  ])("%s: may be offered is %s", async (status, may) => {
    const { talk, say } = fakeClient();
    const asked = talk.canAddToHomeScreen();
    say("home_screen_checked", { status });
    expect(await asked).toBe(may);
  });

  test("of a client that says nothing, or can't, is not offered", async () => {
    const silent = fakeClient().talk.canAddToHomeScreen();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await silent).toBe(false);
    expect(await fakeClient({ cannot: ["web_app_check_home_screen"] }).talk.canAddToHomeScreen()).toBe(false);
  });
});

describe("the contact", () => {
  const asksFor = (told: readonly Told[]) =>
    told.filter(([method]) => method === "web_app_invoke_custom_method").length;

  test("comes after its reader agreed, once Telegram has it", async () => {
    const { talk, told, say } = fakeClient();
    const contact = talk.requestContact();
    expect(asksFor(told)).toBe(0);
    say("phone_requested", { status: "sent" });
    await vi.advanceTimersByTimeAsync(0);
    say("custom_method_invoked", { req_id: "contact-1", error: "NOT_FOUND" });
    await vi.advanceTimersByTimeAsync(50);
    say("custom_method_invoked", { req_id: "contact-2", result: "contact=x&hash=y" });
    expect(await contact).toBe("contact=x&hash=y");
    expect(asksFor(told)).toBe(2);
  });

  test.each([
    [
      "refused by its reader",
      (say: (event: string, payload: unknown) => void) => say("phone_requested", { status: "cancelled" }),
    ],
    ["never asked for", () => touch()],
  ])("%s, is none", async (_, pass) => {
    const { talk, told, say } = fakeClient();
    const contact = talk.requestContact();
    pass(say);
    expect(await contact).toBeNull();
    expect(asksFor(told)).toBe(0);
  });
});
