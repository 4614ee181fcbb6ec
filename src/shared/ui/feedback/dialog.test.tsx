import { afterEach, describe, expect, it, vi } from "vitest";
import { render, settled, type View } from "../../testing/render.tsx";
import { Dialog } from "./dialog.tsx";

let view: View | null = null;
afterEach(async () => {
  await view?.unmount();
  view = null;
});

const page = (open: boolean, onClose = () => undefined) => (
  <>
    <button type="button" id="opener">
      Choose
    </button>
    <Dialog open={open} onClose={onClose} title="Choose a coin" footer={<button type="button">Done</button>}>
      <input id="search" />
    </Dialog>
  </>
);

describe("a dialog", () => {
  it("is modal and named while it is open", async () => {
    view = await render(page(true));
    const dialog = view.get<HTMLDialogElement>("dialog");
    expect(dialog.open).toBe(true);
    const name = document.getElementById(dialog.getAttribute("aria-labelledby") ?? "");
    expect(name?.textContent).toBe("Choose a coin");
  });

  it("returns the focus to what opened it", async () => {
    view = await render(page(false));
    const opener = view.get("#opener");
    opener.focus();
    await view.rerender(page(true));
    view.get("#search").focus();
    await view.rerender(page(false));
    expect(view.get<HTMLDialogElement>("dialog").open).toBe(false);
    expect(document.activeElement).toBe(opener);
  });

  it("returns the focus when it is unmounted while open", async () => {
    const opener = (
      <button type="button" id="opener" key="opener">
        Choose
      </button>
    );
    view = await render(<>{[opener]}</>);
    view.get("#opener").focus();
    const dialog = (
      <Dialog key="dialog" open onClose={() => undefined} title="t">
        <input id="search" />
      </Dialog>
    );
    await view.rerender(<>{[opener, dialog]}</>);
    view.get("#search").focus();
    await view.rerender(<>{[opener]}</>);
    expect(document.activeElement).toBe(view.get("#opener"));
  });

  it("asks to be closed by Esc, by the scrim and by its button, but not by a press inside", async () => {
    const onClose = vi.fn<() => undefined>();
    view = await render(page(true, onClose));
    const dialog = view.get<HTMLDialogElement>("dialog");
    const cancel = new Event("cancel", { cancelable: true });
    await settled(() => dialog.dispatchEvent(cancel));
    expect(cancel.defaultPrevented).toBe(true);
    expect(onClose).toHaveBeenCalledTimes(1);
    await settled(() => dialog.dispatchEvent(new MouseEvent("mousedown", { bubbles: true })));
    expect(onClose).toHaveBeenCalledTimes(2);
    await settled(() => view?.get("#search").dispatchEvent(new MouseEvent("mousedown", { bubbles: true })));
    expect(onClose).toHaveBeenCalledTimes(2);
    await settled(() => view?.get('[aria-label="Close"]').click());
    expect(onClose).toHaveBeenCalledTimes(3);
  });

  it("puts the focus on the given element", async () => {
    const target = { current: null as HTMLElement | null };
    view = await render(
      <Dialog open={false} onClose={() => undefined} title="t" initialFocus={target}>
        <input id="there" ref={(element) => void (target.current = element)} />
      </Dialog>,
    );
    await view.rerender(
      <Dialog open onClose={() => undefined} title="t" initialFocus={target}>
        <input id="there" ref={(element) => void (target.current = element)} />
      </Dialog>,
    );
    expect(document.activeElement?.id).toBe("there");
  });
});

describe("a sheet", () => {
  const point = (type: string, clientY: number, timeStamp: number, target = ".w-dialog__header") =>
    settled(() => {
      const event = new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerId: 1, clientY });
      Object.defineProperty(event, "timeStamp", { value: timeStamp });
      view?.get(target).dispatchEvent(event);
    });
  const open = async (close: () => undefined) => {
    view = await render(page(true, close));
    view.get(".w-dialog__header").setPointerCapture = () => undefined;
    return view.get<HTMLDialogElement>("dialog");
  };
  const drag = async (px: number, ms: number, target?: string) => {
    await point("pointerdown", 100, 1_000, target);
    await point("pointermove", 100 + px, 1_000 + ms, target);
    await point("pointerup", 100 + px, 1_000 + ms, target);
  };

  it.each([
    ["far", 130, 5_000, true],
    ["fast", 60, 100, true],
    ["a little and slowly", 60, 1_000, false],
    ["up", -300, 100, false],
  ])("that is dragged %s", async (_how, px, ms, closes) => {
    const close = vi.fn<() => undefined>();
    await open(close);
    await drag(px, ms);
    expect(close).toHaveBeenCalledTimes(Number(closes));
  });

  it("follows the finger and goes back", async () => {
    const dialog = await open(() => undefined);
    await point("pointerdown", 100, 1_000);
    await point("pointermove", 150, 1_500);
    expect(dialog.style.translate).toBe("0 50px");
    await point("pointerup", 150, 5_000);
    await vi.waitFor(() => expect(dialog.style.translate).toBe(""));
  });

  it("is not dragged by its button, nor by a wide page's dialog", async () => {
    const close = vi.fn<() => undefined>();
    await open(close);
    await drag(300, 100, ".w-dialog__header button");
    document.documentElement.dataset["layout"] = "wide";
    await drag(300, 100);
    delete document.documentElement.dataset["layout"];
    expect(close).not.toHaveBeenCalled();
  });
});
