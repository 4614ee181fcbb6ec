import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import type { View } from "../../shared/testing/render.tsx";
import { FakeEnvironment } from "../testing/fake-environment.ts";

type PageProps = {
  readonly hasTabs?: boolean;
  readonly busyLabel?: string | null;
  readonly isDisabled?: boolean;
  readonly isOpen?: boolean;
};

const pressed = vi.fn<(what: string) => void>();
const openLink = vi.fn<(url: string) => boolean>();
const onSettings = vi.fn<() => void>();
let depth = 0;
let telegram: FakeEnvironment;
let view: View;
let show: (props?: PageProps) => Promise<void>;
let send: (name: string, data?: unknown) => Promise<void>;

/** A page with the shell around it, in a client of this version. */
async function launch(options: ConstructorParameters<typeof FakeEnvironment>[0] = {}, props: PageProps = {}) {
  vi.resetModules();
  telegram = new FakeEnvironment(options);
  const { createTelegramClient } = await import("../client.ts");
  const { TelegramShell } = await import("./telegram-shell.tsx");
  const { BottomBar, Dialog, PrimaryAction, SecondaryAction } = await import("../../shared/ui/index.ts");
  const { followTheme } = await import("../../shared/browser/theme.ts");
  const { useTabsOnScreen } = await import("../../shared/ui/controls/screen-actions.ts");
  const { render, settled } = await import("../../shared/testing/render.tsx");
  createTelegramClient();
  followTheme();

  function Page({ hasTabs = false, busyLabel = null, isDisabled = false, isOpen = false }: PageProps) {
    useTabsOnScreen(hasTabs);
    return (
      <>
        <TelegramShell
          client={{ openLink }}
          parentPage={(path) => (path === "/orders" ? null : "/orders")}
          historyDepth={() => depth}
          onSettings={onSettings}
        />
        <BottomBar>
          <PrimaryAction
            nativeLabel="Create for 5 ETH"
            {...{ busyLabel }}
            disabled={isDisabled}
            onClick={() => pressed("create")}
          >
            {isDisabled ? "Waiting for a connection" : "Create"}
          </PrimaryAction>
        </BottomBar>
        <Dialog
          open={isOpen}
          onClose={() => pressed("close")}
          title="An email?"
          footer={
            <>
              <PrimaryAction onClick={() => pressed("send")}>Send</PrimaryAction>
              <SecondaryAction onClick={() => pressed("skip")}>Skip</SecondaryAction>
            </>
          }
        >
          <a href="https://etherscan.io/tx/0x1">
            <code>0x1</code>
          </a>
        </Dialog>
      </>
    );
  }
  view = await render(<Page {...props} />);
  await settled();
  show = async (next = {}) => {
    await view.rerender(<Page {...next} />);
    await settled();
  };
  send = (name, data) => settled(() => telegram.send(name, data));
}

const main = () => telegram.last("web_app_setup_main_button");
const secondary = () => telegram.last("web_app_setup_secondary_button");
const shown = (text: string, more: object = {}) =>
  expect.objectContaining({ is_visible: true, is_active: true, is_progress_visible: false, text, ...more }) as object;
const hidden = expect.objectContaining({ is_visible: false }) as object;
/** Whether the page shows the button. */
const isOnPage = (text: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === text)?.closest("[hidden]") ===
  null;

beforeEach(() => {
  for (const called of [pressed, openLink, onSettings]) called.mockReset();
  depth = 0;
  history.replaceState(null, "", "/exchange-eth-ton?step=destination");
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await view.unmount();
  FakeEnvironment.end();
  vi.restoreAllMocks();
});

describe("Telegram's buttons", () => {
  test("stand in for the page's, with their own label, and press them", async () => {
    await launch();
    expect([main(), secondary()]).toEqual([shown("Create for 5 ETH"), hidden]);
    expect(isOnPage("Create")).toBe(false);
    expect(document.documentElement.dataset["nativeButtons"]).toBe("main");
    await send("main_button_pressed");
    await send("secondary_button_pressed");
    expect(pressed.mock.calls).toEqual([["create"]]);
  });

  test("show a running call, or why there is nothing to press, and press nothing then", async () => {
    await launch({}, { busyLabel: "Creating" });
    expect(main()).toEqual(shown("Creating", { is_active: false, is_progress_visible: true }));
    await send("main_button_pressed");
    await show({ isDisabled: true });
    expect(main()).toEqual(shown("Create for 5 ETH", { is_active: false }));
    await send("main_button_pressed");
    expect(pressed).not.toHaveBeenCalled();
  });

  test("look inactive while there is nothing to press, in the theme's colours", async () => {
    const theme = { section_bg_color: "#ffffff", text_color: "#000000", button_color: "#40a7e3" };
    await launch({ more: { tgWebAppThemeParams: JSON.stringify(theme) } });
    expect(main()).toMatchObject({ color: "#40a7e3" });
    await show({ isDisabled: true });
    const token = (name: string) => document.documentElement.style.getPropertyValue(name);
    expect(main()).toMatchObject({ is_active: false, color: token("--surface-3"), text_color: token("--text-3") });
    expect(main()).toMatchObject({ color: expect.stringMatching(/^#[0-9a-f]{6}$/) as string });
    await show({ busyLabel: "Creating" });
    expect(main()).toMatchObject({ is_active: false, color: "#40a7e3" });
    await show();
    expect(main()).toMatchObject({ is_active: true, color: "#40a7e3" });
  });

  test("are those of the open dialog, until it closes", async () => {
    await launch();
    await show({ isOpen: true });
    expect([main(), secondary()]).toEqual([shown("Send"), shown("Skip", { position: "bottom" })]);
    expect([isOnPage("Send"), isOnPage("Skip"), isOnPage("Create")]).toEqual([false, false, false]);
    await send("secondary_button_pressed");
    await send("main_button_pressed");
    await show();
    await send("main_button_pressed");
    expect(pressed.mock.calls).toEqual([["skip"], ["send"], ["create"]]);
    expect([main(), secondary()]).toEqual([shown("Create for 5 ETH"), hidden]);
  });

  test("are hidden on a screen with tabs, where a late press does nothing", async () => {
    await launch({}, { hasTabs: true });
    expect([main(), secondary()]).toEqual([hidden, hidden]);
    expect(isOnPage("Create")).toBe(true);
    await send("main_button_pressed");
    expect(pressed).not.toHaveBeenCalled();
  });

  test("that a client doesn't have stay on the page", async () => {
    await launch({ version: "7.9" }, { isOpen: true });
    expect([main(), secondary()]).toEqual([shown("Send"), undefined]);
    expect([isOnPage("Send"), isOnPage("Skip")]).toEqual([false, true]);
  });

  test("that a client fails to show stay on the page", async () => {
    await launch();
    telegram.failure = new Error("the client is gone");
    await show({ isDisabled: true });
    await show();
    expect(isOnPage("Create")).toBe(true);
  });
});

describe("Back", () => {
  const isShown = () => telegram.last("web_app_setup_back_button");

  test("closes the dialog, goes back in the history, and from where a link began to the parent", async () => {
    await launch();
    expect(isShown()).toEqual({ is_visible: true });
    await show({ isOpen: true });
    await send("back_button_pressed");
    expect(pressed.mock.calls).toEqual([["close"]]);
    await show();

    const back = vi.spyOn(history, "back").mockReturnValue();
    depth = 1;
    await send("back_button_pressed");
    expect(back).toHaveBeenCalledOnce();

    depth = 0;
    await send("back_button_pressed");
    expect(location.pathname).toBe("/orders");
    await show();
    expect(isShown()).toEqual({ is_visible: false });
    expect(back).toHaveBeenCalledOnce();
  });
});

test("the history's depth is stored in its entries, over a reload", async () => {
  await launch();
  const { countHistoryDepth } = await import("./history-depth.ts");
  const count = countHistoryDepth();
  navigate("/order/1");
  navigate("/order/2");
  navigate("/order/3", { replace: true });
  expect(history.state).toMatchObject({ depth: 2 });
  expect([count(), countHistoryDepth()()]).toEqual([2, 2]);
});

test("a swipe may close the app where no dialog is open", async () => {
  await launch();
  const allowed = () => telegram.last("web_app_setup_swipe_behavior");
  expect(allowed()).toEqual({ allow_vertical_swipe: true });
  await show({ isOpen: true });
  expect(allowed()).toEqual({ allow_vertical_swipe: false });
  await show();
  expect(allowed()).toEqual({ allow_vertical_swipe: true });
});

test("closing is confirmed while a screen asks for it", async () => {
  await launch();
  const { closingConfirmation } = await import("../closing-confirmation.ts");
  const { settled } = await import("../../shared/testing/render.tsx");
  await settled(() => (closingConfirmation.isOn = true));
  expect(telegram.last("web_app_setup_closing_behavior")).toEqual({ need_confirmation: true });
  await settled(() => (closingConfirmation.isOn = false));
  expect(telegram.last("web_app_setup_closing_behavior")).toEqual({ need_confirmation: false });
});

test("the client's settings are opened from its menu", async () => {
  await launch();
  expect(telegram.last("web_app_setup_settings_button")).toEqual({ is_visible: true });
  await send("settings_button_pressed");
  expect(onSettings).toHaveBeenCalledOnce();
});

describe("the screen", () => {
  const style = (name: string) => document.documentElement.style.getPropertyValue(name);

  test("is as high as it stays, less what the device and the client's controls cover", async () => {
    await launch();
    expect([...telegram.names()]).toEqual(expect.arrayContaining(["web_app_expand", "web_app_request_viewport"]));
    const size = { width: 390, is_expanded: true };
    await send("viewport_changed", { ...size, height: 500, is_state_stable: true });
    await send("viewport_changed", { ...size, height: 400, is_state_stable: false });
    await send("safe_area_changed", { top: 40, right: 1, bottom: 30, left: 2 });
    await send("content_safe_area_changed", { top: 46, right: 0, bottom: 4, left: 0 });
    expect(style("--shell-height")).toBe("500px");
    expect(["top", "right", "bottom", "left"].map((edge) => style(`--inset-${edge}`))).toEqual([
      "86px",
      "1px",
      "34px",
      "2px",
    ]);
    for (const insets of [null, { top: -3, bottom: "4px" }]) {
      await send("safe_area_changed", insets);
      await send("content_safe_area_changed", insets);
    }
    expect([style("--inset-top"), style("--inset-bottom")]).toEqual(["0px", "0px"]);
  });
});

describe("the theme", () => {
  const theme = { section_bg_color: "#17212b", bottom_bar_bg_color: "#1d2a36" };
  const more = { tgWebAppThemeParams: JSON.stringify(theme) };

  test("is the launch's, then each that the client sends", async () => {
    await launch({ more });
    expect(document.documentElement.dataset["theme"]).toBe("dark");
    expect(telegram.of("web_app_set_header_color")).toEqual([{ color: "#17212b" }]);
    expect(telegram.last("web_app_set_bottom_bar_color")).toEqual({ color: "#1d2a36" });
    await send("theme_changed", { theme_params: { section_bg_color: "#ffffff" } });
    expect(document.documentElement.dataset["theme"]).toBe("light");
    expect(telegram.last("web_app_set_header_color")).toEqual({ color: "#ffffff" });
    expect(telegram.of("web_app_request_theme")).toHaveLength(1);
  });

  test("leaves the header to clients before 6.9", async () => {
    await launch({ more, version: "6.8" });
    expect(telegram.of("web_app_set_header_color")).toEqual([]);
    expect(telegram.last("web_app_set_background_color")).toBeDefined();
  });
});

describe("links", () => {
  let isPrevented = false;
  const watch = (event: Event) => {
    isPrevented = event.defaultPrevented;
    event.preventDefault();
  };
  beforeEach(() => {
    window.open = () => null;
    addEventListener("click", watch);
  });
  afterEach(() => removeEventListener("click", watch));

  function press(href: string, init: MouseEventInit = {}): boolean {
    const link = document.body.appendChild(document.createElement("a"));
    link.href = href;
    // The test's page would follow it.
    link.target = "_blank";
    link.append(document.createElement("code"));
    link.firstElementChild?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
    link.remove();
    return isPrevented;
  }

  test("out of the app are opened by the client, and by the browser where it can't", async () => {
    await launch();
    openLink.mockReturnValue(true);
    for (const href of ["https://etherscan.io/tx/0x1", "https://t.me/wherry_bot"]) expect(press(href)).toBe(true);
    expect(openLink).toHaveBeenCalledTimes(2);
    openLink.mockReturnValue(false);
    expect(press("https://etherscan.io/")).toBe(false);
  });

  test.each(["/order/pending", "#main", "bitcoin:bc1q?amount=1", "mailto:ann@mail.example"])(
    "%s is the page's own",
    async (href) => {
      await launch();
      expect(press(href)).toBe(false);
      expect(press("https://etherscan.io/", { button: 1 })).toBe(false);
      expect(openLink).not.toHaveBeenCalled();
    },
  );
});

describe("clients of each age get what they support", () => {
  test.each([
    ["6.0", "5.9", ["setup_main_button", "setup_closing_behavior", "expand", "request_viewport", "request_theme"]],
    ["6.1", "6.0", ["setup_back_button", "set_header_color", "set_background_color"]],
    ["7.7", "7.6", ["setup_swipe_behavior"]],
    ["7.10", "7.9", ["setup_secondary_button", "set_bottom_bar_color"]],
    ["8.0", "7.11", ["request_safe_area", "request_content_safe_area"]],
  ])("%s and later", async (version, before, methods) => {
    const posted = async (launched: string) => {
      await launch({ version: launched });
      const names = telegram.names();
      return methods.filter((method) => names.has(`web_app_${method}`));
    };
    const expected = methods.filter((method) => method !== "set_header_color");
    expect(await posted(version)).toEqual(expected);
    expect(console.warn).not.toHaveBeenCalled();
    if (version === "6.0") return;
    await view.unmount();
    expect(await posted(before)).toEqual([]);
  });
});
