import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { BottomBar, Button, Dialog } from "../../shared/ui/index.ts";
import { followBack } from "./follow-back.ts";
import { followButtons } from "./follow-buttons.ts";
import { followSwipes } from "./follow-swipes.ts";
import { followViewport } from "./follow-viewport.ts";
import { fakeFollowedClient } from "./testing.ts";

type PageProps = {
  readonly isRoot?: boolean;
  readonly busyLabel?: string | null;
  readonly isDisabled?: boolean;
  readonly isOpen?: boolean;
};

const pressed = vi.fn<(what: string) => void>();

const page = ({ isRoot = false, busyLabel = null, isDisabled = false, isOpen = false }: PageProps = {}) => (
  <div className={isRoot ? "w-frame w-frame--tabs" : "w-frame"}>
    <BottomBar>
      <Button nativeLabel="Create for 5 ETH" {...{ busyLabel }} disabled={isDisabled} onClick={() => pressed("create")}>
        {isDisabled ? "Waiting for the network" : "Create"}
      </Button>
    </BottomBar>
    <Dialog
      open={isOpen}
      onClose={() => pressed("close")}
      title="An email?"
      footer={
        <>
          <Button onClick={() => pressed("send")}>Send</Button>
          <Button variant="plain" onClick={() => pressed("skip")}>
            Skip
          </Button>
        </>
      }
    >
      <input />
    </Dialog>
  </div>
);

/** The page's own buttons that the client's stand in for. */
const hidden = () => document.documentElement.dataset["nativeButtons"];
const on = (text: string) => ({ text, isEnabled: true, isBusy: false });

let view: View;
const rerender = async (props: PageProps) => {
  await view.rerender(page(props));
  // Observers are told in a task of their own.
  await settled();
};

beforeEach(async () => {
  pressed.mockClear();
  history.replaceState(null, "", "/exchange-eth-ton?step=destination");
  view = await render(page());
});
afterEach(() => view.unmount());

describe("the client's buttons", () => {
  test("stand in for the page's own, with what may be said there alone, and press it", async () => {
    const telegram = fakeFollowedClient();
    followButtons(telegram);
    expect(telegram.shown.buttons).toEqual({ main: on("Create for 5 ETH"), secondary: null });
    expect(hidden()).toBe("main");
    telegram.press("main");
    telegram.press("secondary");
    expect(pressed.mock.calls).toEqual([["create"]]);
  });

  test("say that a call is on its way, or why there is nothing to press, and press nothing then", async () => {
    const telegram = fakeFollowedClient();
    followButtons(telegram);
    await rerender({ busyLabel: "Creating" });
    expect(telegram.shown.buttons.main).toEqual({ text: "Creating", isEnabled: false, isBusy: true });
    telegram.press("main");
    await rerender({ isDisabled: true });
    expect(telegram.shown.buttons.main).toMatchObject({ isEnabled: false, isBusy: false });
    telegram.press("main");
    expect(pressed).not.toHaveBeenCalled();
  });

  test("are those of the dialog on top, until it closes", async () => {
    const telegram = fakeFollowedClient();
    followButtons(telegram);
    await rerender({ isOpen: true });
    expect(telegram.shown.buttons).toEqual({ main: on("Send"), secondary: on("Skip") });
    expect(hidden()).toBe("main secondary");
    telegram.press("secondary");
    telegram.press("main");
    await rerender({});
    telegram.press("main");
    expect(pressed.mock.calls).toEqual([["skip"], ["send"], ["create"]]);
    expect(telegram.shown.buttons.secondary).toBeNull();
  });

  test("are hidden at a root, where a late press does nothing", async () => {
    const telegram = fakeFollowedClient();
    followButtons(telegram);
    await rerender({ isRoot: true });
    expect(telegram.shown.buttons).toEqual({ main: null, secondary: null });
    expect(hidden()).toBe("");
    telegram.press("main");
    expect(pressed).not.toHaveBeenCalled();
  });

  test("that a client doesn't have stay on the page", async () => {
    const telegram = fakeFollowedClient(["main"]);
    followButtons(telegram);
    await rerender({ isOpen: true });
    expect(telegram.shown.buttons).toEqual({ main: on("Send") });
    expect(hidden()).toBe("main");
  });
});

describe("Back", () => {
  test("closes the dialog, goes the way that was come, and from where a link began to its parent", async () => {
    const telegram = fakeFollowedClient();
    followBack(telegram);
    expect(telegram.shown.back).toBe(true);
    await rerender({ isOpen: true });
    telegram.press("back");
    expect(pressed.mock.calls).toEqual([["close"]]);
    await rerender({});

    const went = vi.spyOn(history, "back").mockReturnValue();
    navigate("/order/1?destinationAddress=x");
    telegram.press("back");
    expect(went).toHaveBeenCalledOnce();

    // As it is where a link began.
    History.prototype.replaceState.call(history, { depth: 0 }, "");
    dispatchEvent(new PopStateEvent("popstate"));
    telegram.press("back");
    expect(location.pathname).toBe("/orders");
    expect(telegram.shown.back).toBe(false);
    expect(went).toHaveBeenCalledOnce();
  });

  test("knows after a reload how far it may go", async () => {
    followBack(fakeFollowedClient());
    const { depth } = history.state as { depth: number };
    navigate("/order/1");
    navigate("/order/2");
    navigate("/order/3", { replace: true });
    expect(history.state).toMatchObject({ depth: depth + 2 });
  });
});

test("a swipe may close the app where no sheet is open", async () => {
  const telegram = fakeFollowedClient();
  followSwipes(telegram);
  expect(telegram.shown.swipes).toBe(true);
  await rerender({ isOpen: true });
  expect(telegram.shown.swipes).toBe(false);
  await rerender({});
  expect(telegram.shown.swipes).toBe(true);
});

test("the page's styles are told how much of the screen is shown", () => {
  const telegram = fakeFollowedClient();
  followViewport(telegram);
  telegram.show({ stableHeight: 500, insets: { top: 46, right: 0, bottom: 34, left: 0 } });
  telegram.show({ stableHeight: null, insets: { top: 0, right: 0, bottom: 34, left: 0 } });
  const { style } = document.documentElement;
  expect(style.getPropertyValue("--shell-height")).toBe("500px");
  expect(style.getPropertyValue("--inset-top")).toBe("0px");
  expect(style.getPropertyValue("--inset-bottom")).toBe("34px");
});
