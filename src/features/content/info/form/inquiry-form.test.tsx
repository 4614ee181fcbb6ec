import { expect, test } from "vitest";
import { render } from "../../../../shared/testing/render.tsx";
import { InquiryForm } from "./inquiry-form.tsx";
import type { InquiryState } from "./use-inquiry.ts";

test("the answer to a form that was sent has the focus, so that it is on the screen", async () => {
  const inquiry: InquiryState = {
    isOnline: true,
    isPending: false,
    failure: null,
    number: "Q-1",
    refused: {},
    send: async () => undefined,
    reset: () => undefined,
  };
  const view = await render(
    <InquiryForm
      inquiry={inquiry}
      intro=""
      submit="Send"
      answerTo="a@b.example"
      operatorEmail={null}
      onSubmit={() => undefined}
    >
      {null}
    </InquiryForm>,
  );
  expect(document.activeElement?.getAttribute("role")).toBe("status");
  await view.unmount();
});
