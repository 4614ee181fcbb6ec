import { afterEach, expect, it } from "vitest";
import { account } from "../../../../shared/account/account.ts";
import { render, settled, type View } from "../../../../shared/testing/render.tsx";
import { sampleAccount } from "../../../../shared/testing/sample-account.ts";
import { ContactForm } from "./contact-form.tsx";

let view: View;
afterEach(async () => {
  await view.unmount();
  account.data = null;
});

const email = () => view.get<HTMLInputElement>("#contact-email");
const type = (value: string) =>
  settled(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(email(), value);
    email().dispatchEvent(new Event("input", { bubbles: true }));
  });

it("has the email of who is signed in, until another one is typed", async () => {
  view = await render(<ContactForm email={null} />);
  expect(email().value).toBe("");
  await settled(() => Object.assign(account, { data: sampleAccount(), isKnown: true }));
  expect(email().value).toBe("ann@mail.example");
  await type("");
  expect(email().value).toBe("");
  await type("bob@mail.example");
  expect(email().value).toBe("bob@mail.example");
});
