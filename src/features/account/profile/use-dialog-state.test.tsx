import { useState } from "react";
import { expect, onTestFinished, test } from "vitest";
import { render, settled } from "../../../shared/testing/render.tsx";
import { Dialog } from "../../../shared/ui/index.ts";
import { useDialogState } from "./use-dialog-state.ts";

function Page() {
  const { isOpen, key, open, close } = useDialogState();
  return (
    <>
      <button type="button" id="opener" onClick={open}>
        Change
      </button>
      <Form key={key} open={isOpen} onClose={close} />
    </>
  );
}

function Form({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [presses, setPresses] = useState(0);
  return (
    <Dialog open={open} onClose={onClose} title="Change">
      <button type="button" id="press" onClick={() => setPresses(presses + 1)}>
        {presses}
      </button>
      <button type="button" id="done" onClick={onClose}>
        Done
      </button>
    </Dialog>
  );
}

test("a dialog that closes stays as it was while it moves away, and begins anew when it opens again", async () => {
  const view = await render(<Page />);
  onTestFinished(() => view.unmount());
  const press = (id: string) => settled(() => view.get(id).click());
  await press("#opener");
  await press("#press");
  const dialog = view.get<HTMLDialogElement>("dialog");
  await press("#done");
  expect(view.get<HTMLDialogElement>("dialog")).toBe(dialog);
  expect(dialog.open).toBe(false);
  expect(view.get("#press").textContent).toBe("1");
  await press("#opener");
  expect(view.get<HTMLDialogElement>("dialog").open).toBe(true);
  expect(view.get("#press").textContent).toBe("0");
});
