import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notifications, notify, SHORT_TIMEOUT_MS } from "../../shared/page/notifications.ts";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { offerUpdate } from "../../pwa/update-store.ts";
import { NotificationToast, preloadToast } from "./notification-toast.tsx";
import { preloadUpdateToast, UpdateNotice } from "./toasts.tsx";

let view: View | null = null;
beforeEach(async () => {
  await preloadToast();
  vi.useFakeTimers();
});
afterEach(async () => {
  await view?.unmount();
  notifications.queue = [];
  vi.useRealTimers();
});

const text = () => view?.container.querySelector(".w-toast__title")?.textContent ?? null;
const pass = (ms: number) => settled(() => vi.advanceTimersByTimeAsync(ms));
const fail = (message: string) => notify({ type: "error", message });

describe("notifications (spec §4)", () => {
  it("leave after 30 s, short ones after 3 s", async () => {
    view = await render(<NotificationToast />);
    await settled(() => fail("first"));
    await pass(29_999);
    expect(text()).toBe("first");
    await pass(1);
    expect(text()).toBeNull();
    await settled(() => notify({ type: "success", message: "second", timeoutMs: SHORT_TIMEOUT_MS }));
    await pass(3_000);
    expect(text()).toBeNull();
  });

  it("do not repeat the last one, but may come again after another", async () => {
    for (const message of ["a", "a", "b", "a"]) fail(message);
    expect(notifications.queue.map(({ message }) => message)).toEqual(["a", "b", "a"]);
  });

  it("are shown one at a time, each for its own time", async () => {
    view = await render(<NotificationToast />);
    await settled(() => ["a", "b"].forEach(fail));
    expect(text()).toBe("a");
    await pass(30_000);
    expect(text()).toBe("b");
    await pass(29_999);
    expect(text()).toBe("b");
    await pass(1);
    expect(text()).toBeNull();
  });

  it("stand still while they are pointed at", async () => {
    view = await render(<NotificationToast />);
    await settled(() => fail("a"));
    await pass(29_000);
    await settled(() => view?.get(".w-toast").dispatchEvent(new PointerEvent("pointerover", { bubbles: true })));
    await pass(60_000);
    expect(text()).toBe("a");
    await settled(() => view?.get(".w-toast").dispatchEvent(new PointerEvent("pointerout", { bubbles: true })));
    await pass(999);
    expect(text()).toBe("a");
    await pass(1);
    expect(text()).toBeNull();
  });

  it("pause while focused or hovered, and go on from there afterwards", async () => {
    view = await render(<NotificationToast />);
    await settled(() => fail("a"));
    await pass(29_000);
    const point = (kind: string) => view?.get(".w-toast").dispatchEvent(new PointerEvent(kind, { bubbles: true }));
    await settled(() => view?.get(".w-icon-button").focus());
    await settled(() => point("pointerover"));
    await settled(() => point("pointerout"));
    await pass(60_000);
    expect(text()).toBe("a");
    await settled(() => view?.get(".w-icon-button").blur());
    await pass(999);
    expect(text()).toBe("a");
    await pass(1);
    expect(text()).toBeNull();
  });

  it("return the focus when they are closed", async () => {
    view = await render(
      <>
        <button id="before">Before</button>
        <NotificationToast />
      </>,
    );
    view.get("#before").focus();
    await settled(() => fail("a"));
    await settled(() => view?.get(".w-icon-button").focus());
    await settled(() => view?.get(".w-icon-button").click());
    expect(document.activeElement?.id).toBe("before");
  });

  it("can be closed", async () => {
    view = await render(<NotificationToast />);
    await settled(() => fail("a"));
    await settled(() => view?.get(".w-icon-button").click());
    expect(text()).toBeNull();
  });
});

describe("a new build", () => {
  it("is offered once, waits while a step of the swap is open, and stays away when postponed", async () => {
    await preloadUpdateToast();
    view = await render(<UpdateNotice isReloadBlocked={false} />);
    expect(text()).toBeNull();
    await settled(() => offerUpdate({ build: "b2", isNeeded: false }));
    expect(text()).toBe("New version ready");
    await view.rerender(<UpdateNotice isReloadBlocked />);
    expect(text()).toBeNull();
    await view.rerender(<UpdateNotice isReloadBlocked={false} />);
    await settled(() => view?.get(".w-button--plain").click());
    expect(text()).toBeNull();
    await settled(() => offerUpdate({ build: "b2", isNeeded: false }));
    expect(text()).toBeNull();
    await settled(() => offerUpdate({ build: "b3", isNeeded: false }));
    expect(text()).toBe("New version ready");
  });

  it("is offered on a step of the swap too, and once more, when the step can't go on without it", async () => {
    view = await render(<UpdateNotice isReloadBlocked />);
    await settled(() => offerUpdate({ build: "b4", isNeeded: false }));
    expect(text()).toBeNull();
    await settled(() => offerUpdate({ build: "b4", isNeeded: true }));
    expect(text()).toBe("New version ready");
    await settled(() => offerUpdate({ build: "b4", isNeeded: false }));
    expect(text()).toBe("New version ready");
  });
});
