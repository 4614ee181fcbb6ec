import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TelegramClient } from "./telegram-client.ts";
import type { Viewport } from "./sdk/viewport.ts";

type Posted = [name: string, data: unknown];

let posted: Posted[] = [];
let post: (name: string, data?: string) => void;

/** A client of a version around the page, as it launches the app. */
async function open(version: string, more: Record<string, string> = {}): Promise<TelegramClient> {
  location.hash = new URLSearchParams({
    tgWebAppVersion: version,
    tgWebAppPlatform: "ios",
    tgWebAppThemeParams: JSON.stringify({ section_bg_color: "#17212b", bottom_bar_bg_color: "#1d2a36" }),
    ...more,
  }).toString();
  const { createTelegramClient } = await import("./client.ts");
  return createTelegramClient();
}

const tell = (name: string, data: unknown = null) =>
  (window as unknown as { Telegram: { WebView: { receiveEvent(name: string, data: unknown): void } } }).Telegram.WebView //
    .receiveEvent(name, data);

const of = (name: string) => posted.filter(([to]) => to === name).map(([, data]) => data);

beforeEach(() => {
  vi.resetModules();
  posted = [];
  post = (name, data) => void posted.push([name, data === undefined ? null : JSON.parse(data)]);
  Object.assign(window, { TelegramWebviewProxy: { postEvent: (name: string, data?: string) => post(name, data) } });
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  location.hash = "";
  sessionStorage.clear();
  Reflect.deleteProperty(window, "TelegramWebviewProxy");
  vi.restoreAllMocks();
});

/** Everything that the app asks of a client. */
const everything: readonly [name: string, ask: (telegram: TelegramClient) => unknown][] = [
  ["showBack", (telegram) => telegram.showBack(true)],
  ["setButton main", (telegram) => telegram.setButton("main", { text: "Go", isEnabled: true, isBusy: false })],
  ["setButton secondary", (telegram) => telegram.setButton("secondary", null)],
  ["confirmClosing", (telegram) => telegram.confirmClosing(true)],
  ["allowSwipes", (telegram) => telegram.allowSwipes(false)],
  ["playHaptic", (telegram) => telegram.playHaptic("copy")],
  ["expand", (telegram) => telegram.expand()],
  ["onViewport", (telegram) => telegram.onViewport(() => undefined)],
  ["onPalette", (telegram) => telegram.onPalette(() => undefined)],
  ["setBars", (telegram) => telegram.setBars({ header: "#010203", background: "#040506", bottom: "#070809" })],
  ["close", (telegram) => telegram.close()],
];

describe("what clients of each age are told", () => {
  test.each([
    ["6.0", ["setup_main_button", "setup_closing_behavior", "expand", "request_viewport", "request_theme", "close"]],
    ["6.1", ["setup_back_button", "trigger_haptic_feedback", "set_header_color", "set_background_color"]],
    ["7.7", ["setup_swipe_behavior"]],
    ["7.10", ["setup_secondary_button", "set_bottom_bar_color"]],
    ["8.0", ["request_safe_area", "request_content_safe_area"]],
  ])("%s and later", async (version, known) => {
    const telegram = await open(version);
    for (const [, ask] of everything) ask(telegram);
    const names = new Set(posted.map(([name]) => name));
    expect(console.warn).not.toHaveBeenCalled();
    expect(known.filter((name) => !names.has(`web_app_${name}`))).toEqual([]);
    const older = await openedBefore(version);
    expect(known.filter((name) => older.has(`web_app_${name}`))).toEqual([]);
  });

  /** What a client of the version before is told. */
  async function openedBefore(version: string): Promise<Set<string>> {
    const before = { "6.1": "6.0", "7.7": "7.6", "7.10": "7.9", "8.0": "7.11" }[version];
    if (before === undefined) return new Set();
    vi.resetModules();
    posted = [];
    const telegram = await open(before);
    for (const [, ask] of everything) ask(telegram);
    expect(console.warn).not.toHaveBeenCalled();
    return new Set(posted.map(([name]) => name));
  }

  test("a header takes a colour from 6.9 on, and one of the client's own two before", async () => {
    const bars = { header: "#010203", background: "#040506", bottom: "#070809" } as const;
    (await open("6.8")).setBars(bars);
    expect(of("web_app_set_header_color")).toEqual([{ color_key: "bg_color" }]);
    vi.resetModules();
    posted = [];
    (await open("6.9")).setBars(bars);
    expect(of("web_app_set_header_color")).toEqual([{ color: "#010203" }]);
  });

  test("a page keeps its button where the client has none", async () => {
    const telegram = await open("7.9");
    expect(telegram.setButton("main", null)).toBe(true);
    expect(telegram.setButton("secondary", null)).toBe(false);
  });
});

describe("a client that fails", () => {
  test.each(everything)("%s never throws, and says that it failed", async (_, ask) => {
    const telegram = await open("8.0");
    post = () => {
      throw new Error("the client is gone");
    };
    expect(() => ask(telegram)).not.toThrow();
    expect(console.warn).toHaveBeenCalled();
    expect(telegram.setButton("main", null)).toBe(false);
  });

  test("never says how large the screen is: nobody is told anything", async () => {
    const follow = vi.fn<() => void>();
    (await open("8.0")).onViewport(follow);
    expect(follow).not.toHaveBeenCalled();
  });

  test("tells what can't be read: the page is as without it", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const follow = vi.fn<(viewport: Viewport) => void>();
    (await open("8.0")).onViewport(follow);
    tell("viewport_changed", { height: "all", is_state_stable: true });
    for (const insets of [null, { top: -3, bottom: "4px" }]) {
      tell("safe_area_changed", insets);
      tell("content_safe_area_changed", insets);
    }
    const nothing = { stableHeight: null, insets: { top: 0, right: 0, bottom: 0, left: 0 } };
    for (const [told] of follow.mock.calls) expect(told).toEqual(nothing);
  });
});

describe("the screen", () => {
  test("is as high as it stays, less what the device and the client's controls cover together", async () => {
    const follow = vi.fn<() => void>();
    (await open("8.0")).onViewport(follow);
    const height = { width: 390, is_expanded: true };
    tell("viewport_changed", { ...height, height: 500, is_state_stable: true });
    tell("viewport_changed", { ...height, height: 400, is_state_stable: false });
    tell("safe_area_changed", { top: 40, right: 1, bottom: 30, left: 2 });
    tell("content_safe_area_changed", { top: 46, right: 0, bottom: 4, left: 0 });
    expect(follow).toHaveBeenLastCalledWith({ stableHeight: 500, insets: { top: 86, right: 1, bottom: 34, left: 2 } });
  });
});

describe("the theme", () => {
  test("is the launch's, then each that the client tells", async () => {
    const seen: string[] = [];
    (await open("8.0")).onPalette(({ bars }) => seen.push(bars.header, bars.bottom));
    tell("theme_changed", { theme_params: { section_bg_color: "#ffffff" } });
    expect(seen).toEqual(["#17212b", "#1d2a36", "#ffffff", "#ffffff"]);
  });
});

describe("what is felt (ui.md §4)", () => {
  test.each([
    ["copy", { type: "impact", impact_style: "light" }],
    ["swap", { type: "impact", impact_style: "light" }],
    ["completed", { type: "notification", notification_type: "success" }],
    ["warning", { type: "notification", notification_type: "warning" }],
    ["failed", { type: "notification", notification_type: "error" }],
  ] as const)("%s", async (feeling, touch) => {
    (await open("8.0")).playHaptic(feeling);
    expect(of("web_app_trigger_haptic_feedback")).toEqual([touch]);
  });
});

describe("the client's buttons", () => {
  const button = { text: "Create order", isEnabled: true, isBusy: false };

  test.each([
    [null, { is_visible: false }],
    [{ ...button, text: "" }, { is_visible: false }],
    [button, { is_visible: true, is_active: true, is_progress_visible: false, text: "Create order" }],
    [
      { ...button, isEnabled: false },
      { is_visible: true, is_active: false, is_progress_visible: false, text: "Create order" },
    ],
    [
      { ...button, isBusy: true },
      { is_visible: true, is_active: false, is_progress_visible: true, text: "Create order" },
    ],
  ])("%j", async (given, told) => {
    const telegram = await open("8.0");
    telegram.setButton("main", given);
    telegram.setButton("secondary", given);
    expect(of("web_app_setup_main_button")).toEqual([told]);
    expect(of("web_app_setup_secondary_button")).toEqual([told.is_visible ? { ...told, position: "bottom" } : told]);
  });

  test("are pressed each for itself", async () => {
    const telegram = await open("8.0");
    const pressed: string[] = [];
    telegram.onButton("main", () => pressed.push("main"));
    telegram.onButton("secondary", () => pressed.push("secondary"));
    telegram.onBack(() => pressed.push("back"));
    for (const name of ["secondary", "main", "back"]) tell(`${name}_button_pressed`);
    expect(pressed).toEqual(["secondary", "main", "back"]);
  });
});
