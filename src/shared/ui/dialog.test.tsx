import { afterEach, describe, expect, it, vi } from "vitest";
import { render, settled, type View } from "../testing/render.tsx";
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

  it("gives the focus back to what opened it", async () => {
    view = await render(page(false));
    const opener = view.get("#opener");
    opener.focus();
    await view.rerender(page(true));
    view.get("#search").focus();
    await view.rerender(page(false));
    expect(view.get<HTMLDialogElement>("dialog").open).toBe(false);
    expect(document.activeElement).toBe(opener);
  });

  it("gives the focus back when it is taken away while open", async () => {
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

  it("puts the focus where it is told to", async () => {
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
