import { expect, test } from "vitest";
import { render } from "../../../shared/testing/render.tsx";
import { emptyDraft } from "../model/draft.ts";
import { DocumentForm } from "./document-form.tsx";

test("begins at its heading where a button opened it, and leaves the focus alone on the way in", async () => {
  const form = (isStarted: boolean) => (
    <DocumentForm
      draft={{ ...emptyDraft(), step: "RESIDENTIAL" }}
      isStarted={isStarted}
      onDraft={() => undefined}
      onSent={async () => undefined}
    />
  );
  const started = await render(form(true));
  expect(document.activeElement?.tagName).toBe("H2");
  await started.unmount();
  const reopened = await render(form(false));
  expect(document.activeElement?.tagName).not.toBe("H2");
  await reopened.unmount();
});
