import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Popup } from "./popup.ts";
import type { TelegramClient } from "./telegram-client.ts";
import { FakeEnvironment } from "./testing/fake-environment.ts";

type Launch = ConstructorParameters<typeof FakeEnvironment>[0];

let telegram: FakeEnvironment;

async function launch(options: Launch = {}): Promise<TelegramClient> {
  vi.resetModules();
  telegram = new FakeEnvironment(options);
  const { createTelegramClient } = await import("./client.ts");
  return createTelegramClient();
}

/** Lets the SDK go on after an event or a timer. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const touch = () => dispatchEvent(new Event("pointerdown"));

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  FakeEnvironment.end();
});

test("the client is reset at launch: it keeps its state over a load of the page", async () => {
  await launch();
  expect(telegram.last("web_app_setup_back_button")).toEqual({ is_visible: false });
  expect(telegram.last("web_app_setup_closing_behavior")).toEqual({ need_confirmation: false });
  expect(telegram.of("web_app_ready")).toHaveLength(1);
});

test.each([
  ["copy", { type: "impact", impact_style: "light" }],
  ["swap", { type: "impact", impact_style: "light" }],
  ["completed", { type: "notification", notification_type: "success" }],
  ["warning", { type: "notification", notification_type: "warning" }],
  ["failed", { type: "notification", notification_type: "error" }],
] as const)("haptics of %s", async (haptic, posted) => {
  (await launch()).playHaptic(haptic);
  expect(telegram.of("web_app_trigger_haptic_feedback")).toEqual([posted]);
});

const everything: readonly [name: string, call: (client: TelegramClient) => unknown][] = [
  ["playHaptic", (client) => client.playHaptic("copy")],
  ["close", (client) => client.close()],
  ["openLink", (client) => client.openLink("https://etherscan.io/")],
  ["shareLink", (client) => client.shareLink("https://t.me/x", "y")],
  ["addToHomeScreen", (client) => client.addToHomeScreen()],
];

test.each(everything)("%s never throws where the client fails or is too old", async (_, call) => {
  const client = await launch();
  telegram.failure = new Error("the client is gone");
  expect(() => call(client)).not.toThrow();
  expect(console.warn).toHaveBeenCalled();
  const old = await launch({ version: "6.0" });
  expect(() => call(old)).not.toThrow();
});

describe("a popup", () => {
  const FORGET: Popup = {
    title: " Forget? ",
    message: "Gone for good.",
    buttons: [
      { id: "yes", type: "destructive", text: "Forget " },
      { id: "no", type: "cancel" },
    ],
  };

  test("is posted trimmed, and gives the id of the pressed button", async () => {
    const client = await launch();
    const answer = client.popUp(FORGET);
    telegram.send("popup_closed", { button_id: "yes" });
    expect(await answer).toBe("yes");
    expect(telegram.of("web_app_open_popup")).toEqual([
      {
        title: "Forget?",
        message: "Gone for good.",
        buttons: [
          { id: "yes", type: "destructive", text: "Forget" },
          { id: "no", type: "cancel" },
        ],
      },
    ]);
  });

  test.each([
    ["nothing", {}],
    ["a button that isn't there", { button_id: "maybe" }],
  ])("closed by %s gives none", async (_, payload) => {
    const answer = (await launch()).popUp(FORGET);
    telegram.send("popup_closed", payload);
    expect(await answer).toBeNull();
  });

  test("that another window says is closed waits for the client's own answer", async () => {
    const answer = (await launch()).popUp(FORGET);
    const data = JSON.stringify({ eventType: "popup_closed", eventData: { button_id: "yes" } });
    const stranger = new MessageChannel().port1 as unknown as MessageEventSource;
    for (const source of [stranger, null])
      dispatchEvent(new MessageEvent("message", { data, source, origin: "https://evil.test" }));
    telegram.send("popup_closed", { button_id: "no" });
    expect(await answer).toBe("no");
  });

  test("that breaks a rule is refused by its code, and not posted", async () => {
    const refused = (await launch()).popUp({ ...FORGET, title: "x".repeat(65) });
    await expect(refused).rejects.toMatchObject({ name: "PopupError", code: "POPUP_TITLE_TOO_LONG" });
    expect(telegram.of("web_app_open_popup")).toEqual([]);
  });

  test("is unsupported by a client that is too old, or fails", async () => {
    const old = await launch({ version: "6.1" });
    await expect(old.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_UNSUPPORTED" });
    const client = await launch();
    telegram.failure = new Error("the client is gone");
    await expect(client.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_UNSUPPORTED" });
  });

  test("is refused while another one is open, and shown after it", async () => {
    const client = await launch();
    const first = client.popUp(FORGET);
    await expect(client.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_BUSY" });
    telegram.send("popup_closed", { button_id: "no" });
    expect(await first).toBe("no");
    const second = client.popUp(FORGET);
    telegram.send("popup_closed", { button_id: "yes" });
    expect(await second).toBe("yes");
  });

  test.each([
    ["the page is touched through it", async () => touch()],
    ["a minute passes", () => pass(60_000)],
  ])("was never shown when %s, and no other is asked for", async (_, happen) => {
    const client = await launch();
    const [answer] = await Promise.all([client.popUp(FORGET).catch((error: unknown) => error), happen()]);
    expect(answer).toMatchObject({ code: "POPUP_UNANSWERED" });
    await expect(client.popUp(FORGET)).rejects.toMatchObject({ code: "POPUP_UNSUPPORTED" });
    expect(telegram.of("web_app_open_popup")).toHaveLength(1);
  });
});

describe("the scanner", () => {
  const HINT = "Point the camera at the code of an address, please do, and hold it still";

  test("returns the first code that is not empty, and is closed", async () => {
    const scan = (await launch()).scanQr(HINT);
    telegram.send("qr_text_received", { data: " " });
    telegram.send("qr_text_received", { data: "bitcoin:bc1q" });
    telegram.send("qr_text_received", { data: "another" });
    expect(await scan).toEqual({ text: "bitcoin:bc1q" });
    expect(telegram.of("web_app_open_scan_qr_popup")).toEqual([{ text: HINT.slice(0, 64) }]);
    expect(telegram.of("web_app_close_scan_qr_popup").length).toBeGreaterThan(0);
  });

  test("closed by the user gives nothing", async () => {
    const scan = (await launch()).scanQr(HINT);
    telegram.send("scan_qr_popup_closed");
    expect(await scan).toBe("closed");
  });

  test("is unavailable in a client that is too old", async () => {
    expect(await (await launch({ version: "6.3" })).scanQr(HINT)).toBe("unavailable");
  });

  test.each([
    ["8.0", "ios", "unavailable"],
    ["7.6", "ios", "asked for"],
    ["7.6", "tdesktop", "unavailable"],
    ["7.10", "android", "unavailable"],
  ])("of %s on %s, touched through, is then %s", async (version, platform, then) => {
    const client = await launch({ version, platform });
    const scan = client.scanQr(HINT);
    touch();
    expect(await scan).toBe("closed");
    const before = telegram.of("web_app_open_scan_qr_popup").length;
    const again = client.scanQr(HINT);
    if (then === "unavailable") expect(await again).toBe("unavailable");
    expect(telegram.of("web_app_open_scan_qr_popup").length - before).toBe(then === "asked for" ? 1 : 0);
  });
});

const person = { id: 1, first_name: "Ann" };
const from = (data: object): Launch => ({
  more: {
    tgWebAppData: new URLSearchParams({
      auth_date: "1",
      hash: "x",
      signature: "x",
      ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)])),
    }).toString(),
  },
});

test.each([
  [{ user: person }, "Ann"],
  [{ user: { ...person, last_name: "Larsen" } }, "Ann Larsen"],
  [{}, null],
])("the person of %j is %s", async (data, name) => {
  expect((await launch(from(data))).personName).toBe(name);
});

describe("the clipboard", () => {
  test.each([
    ["a chat of the attachment menu", { chat: { id: 1, type: "group", title: "x" } }, true],
    ["a person of the attachment menu", { receiver: person }, true],
    ["anything else", { user: person }, false],
  ])("may be read by a launch from %s: %#", async (_, data, canRead) => {
    expect((await launch(from(data))).canReadClipboard).toBe(canRead);
    expect((await launch({ ...from(data), version: "6.3" })).canReadClipboard).toBe(false);
  });

  test("is read by the answer to this request", async () => {
    const text = (await launch()).readClipboard();
    const { req_id } = telegram.last("web_app_read_text_from_clipboard") as { req_id: string };
    telegram.send("clipboard_text_received", { req_id: "another", data: "theirs" });
    telegram.send("clipboard_text_received", { req_id, data: " ours\n" });
    expect(await text).toBe("ours");
  });

  test("that the client does not answer is abandoned in two seconds", async () => {
    const text = (await launch()).readClipboard();
    await pass(2_000);
    expect(await text).toBeNull();
  });
});

describe("links", () => {
  test.each([
    ["https://t.me/wherry_bot?start=x", "web_app_open_tg_link", { path_full: "/wherry_bot?start=x" }],
    ["https://t.me.evil.example/x", "web_app_open_link", { url: "https://t.me.evil.example/x" }],
    ["https://etherscan.io/tx/0x1", "web_app_open_link", { url: "https://etherscan.io/tx/0x1" }],
  ])("%s is opened by %s", async (url, method, params) => {
    expect((await launch()).openLink(url)).toBe(true);
    expect(telegram.last(method)).toEqual(params);
  });

  test("of an old client are all opened by its browser, and none is shared", async () => {
    const client = await launch({ version: "6.0" });
    expect(client.openLink("https://t.me/x")).toBe(true);
    expect(client.shareLink("https://t.me/x", "y")).toBe(false);
    expect(telegram.last("web_app_open_link")).toEqual({ url: "https://t.me/x" });
  });

  test("are shared with spaces that every client reads, and a plus that stays one", async () => {
    expect((await launch()).shareLink("https://t.me/b?startapp=order___a___b", "1 + 1 & more")).toBe(true);
    expect(telegram.last("web_app_open_tg_link")).toEqual({
      path_full: "/share/url?url=https%3A%2F%2Ft.me%2Fb%3Fstartapp%3Dorder___a___b&text=1%20%2B%201%20%26%20more",
    });
  });
});

describe("the home screen", () => {
  test.each([
    ["missed", true],
    ["unknown", true],
    ["added", false],
    ["unsupported", false],
  ])("%s: can be offered is %s", async (status, canAdd) => {
    const answer = (await launch()).canAddToHomeScreen();
    telegram.send("home_screen_checked", { status });
    expect(await answer).toBe(canAdd);
  });

  test("of a client that says nothing, or is too old, is not offered", async () => {
    const silent = (await launch()).canAddToHomeScreen();
    await pass(3_000);
    expect(await silent).toBe(false);
    expect(await (await launch({ version: "7.11" })).canAddToHomeScreen()).toBe(false);
  });
});

describe("the bot's right to write", () => {
  test.each([
    [{ user: { ...person, allows_write_to_pm: true } }, "8.0", "allowed"],
    [{ user: { ...person, allows_write_to_pm: true } }, "6.8", "allowed"],
    [{ user: person }, "6.9", "open"],
    [{}, "8.0", "open"],
    [{ user: person }, "6.8", "unsupported"],
  ])("of %j in version %s is %s", async (data, version, access) => {
    expect((await launch({ ...from(data), version })).writeAccess).toBe(access);
    expect(telegram.of("web_app_request_write_access")).toEqual([]);
  });

  test.each([
    ["allowed", "allowed"],
    ["cancelled", "refused"],
  ])("that the user has %s is %s", async (status, answer) => {
    const asked = (await launch()).requestWriteAccess();
    expect(telegram.of("web_app_request_write_access")).toHaveLength(1);
    telegram.send("write_access_requested", { status });
    expect(await asked).toBe(answer);
  });

  test.each([
    ["the page is touched through it", async () => touch()],
    ["a minute passes", () => pass(60_000)],
  ])("was never asked for when %s, and can be asked for again", async (_, happen) => {
    const client = await launch();
    const [answer] = await Promise.all([client.requestWriteAccess(), happen()]);
    expect(answer).toBe("unanswered");
    const again = client.requestWriteAccess();
    telegram.send("write_access_requested", { status: "allowed" });
    expect(await again).toBe("allowed");
  });
});

describe("the contact", () => {
  const requests = () => telegram.of("web_app_invoke_custom_method") as { req_id: string; method: string }[];

  test("comes after the user agreed, once Telegram has it", async () => {
    const contact = (await launch()).requestContact();
    expect(requests()).toEqual([]);
    telegram.send("phone_requested", { status: "sent" });
    await pass();
    telegram.send("custom_method_invoked", { req_id: requests()[0]?.req_id, error: "NOT_FOUND" });
    await pass(50);
    telegram.send("custom_method_invoked", { req_id: requests()[1]?.req_id, result: "contact=x&hash=y" });
    expect(await contact).toBe("contact=x&hash=y");
    expect(requests().map(({ method }) => method)).toEqual(["getRequestedContact", "getRequestedContact"]);
  });

  test.each([
    ["refused by the user", () => telegram.send("phone_requested", { status: "cancelled" })],
    ["never asked for by the client", touch],
  ])("%s, is none", async (_, happen) => {
    const contact = (await launch()).requestContact();
    happen();
    expect(await contact).toBeNull();
    expect(requests()).toEqual([]);
  });
});
