import { afterEach, beforeEach, expect, test } from "vitest";
import { render, settled, type View } from "../testing/render.tsx";
import { account } from "./account.ts";
import { keepAccount, resetAccount } from "./account-store.ts";
import { useIsSignedIn } from "./signed-in.ts";

const ANN = {
  userId: 7,
  email: "ann@mail.example",
  permissions: "USER" as const,
  adminPermissionsScope: null,
  isEmailConfirmed: true,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: "2026-11-21T12:00:00.000Z",
};

let view: View;
const Entry = () => (useIsSignedIn(true) ? "account" : "sign in");

beforeEach(async () => {
  Object.assign(account, { data: null, isKnown: false });
  view = await render(<Entry />);
});
afterEach(async () => {
  await view.unmount();
  resetAccount();
});

test("a page says what it was rendered with until the browser knows who is signed in, and follows from then on", async () => {
  expect(view.container.textContent).toBe("account");
  await settled(() => resetAccount());
  expect(view.container.textContent).toBe("sign in");
  await settled(() => keepAccount(ANN));
  expect(view.container.textContent).toBe("account");
});

test("what could not be learnt changes nothing", async () => {
  await settled(() => void (account.isUnavailable = true));
  expect(view.container.textContent).toBe("account");
});
