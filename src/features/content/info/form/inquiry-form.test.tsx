import { expect, test } from "vitest";
import { render } from "../../../../shared/testing/render.tsx";
import { InquiryForm } from "./inquiry-form.tsx";
import type { InquiryState } from "./use-inquiry.ts";

const SENT: InquiryState = {
  isOnline: true,
  isPending: false,
  failure: null,
  number: "Q-1",
  refused: {},
  send: async () => ({}),
  accept: () => undefined,
  reset: () => undefined,
};

const formOf = (inquiry: InquiryState) => (
  <InquiryForm
    inquiry={inquiry}
    intro=""
    submit="Send"
    answerTo="a@b.example"
    operatorEmail={null}
    onSubmit={() => undefined}
  >
    <input id="first" />
    <textarea />
  </InquiryForm>
);

test("the answer to a form that was sent has the focus, so that it is on the screen", async () => {
  const view = await render(formOf(SENT));
  expect(document.activeElement?.getAttribute("role")).toBe("status");
  await view.unmount();
});

test("another message begins in its first field; a form that was just opened takes no focus", async () => {
  const view = await render(formOf({ ...SENT, number: null }));
  expect(document.activeElement).toBe(document.body);
  await view.rerender(formOf(SENT));
  await view.rerender(formOf({ ...SENT, number: null }));
  expect(document.activeElement?.id).toBe("first");
  await view.unmount();
});
