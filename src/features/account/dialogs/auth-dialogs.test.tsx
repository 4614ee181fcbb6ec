import { afterEach, expect, test, vi } from "vitest";
import type { Api } from "#contract/site/ssr.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { dismiss, notifications } from "../../../shared/page/notifications.ts";
import type * as submit from "./submit.ts";
import { auth, openAuthDialog, resetAuth, switchAuthDialog } from "../store.ts";
import { AuthDialogs } from "./auth-dialogs.tsx";

vi.mock("./submit.ts", (): Partial<typeof submit> => ({
  submitAuthDialog: async ({ onSignedIn }) => onSignedIn(null, true),
}));

const APP = "https://t.me/a_bot/app?startapp=me___keys";
const { login } = allMessages("en").account;

let view: View;
const way = () => view.container.ownerDocument.querySelector<HTMLAnchorElement>('a[href^="https://t.me"]');

async function open(telegramUrl: string | null): Promise<void> {
  view = await render(<AuthDialogs api={{} as Api} telegramUrl={telegramUrl} onSignedIn={() => undefined} />);
  await settled(() => openAuthDialog("login"));
}

afterEach(async () => {
  await settled(() => resetAuth());
  await view.unmount();
});

test("Telegram is a way to sign in, beside this page, which keeps what was typed", async () => {
  await open(APP);
  expect(way()?.textContent).toBe(login.telegram);
  expect(way()?.href).toBe(APP);
  expect(way()?.target).toBe("_blank");
  expect(way()?.rel).toBe("noopener");
  expect(document.body.textContent).toContain(login.orEmail);
  // The first empty field has the focus all the same.
  expect(document.activeElement?.id).toBe("auth-email");
});

test("Telegram is offered by no other dialog, and not to who has typed the password", async () => {
  await open(APP);
  await settled(() => switchAuthDialog("register"));
  expect(way()).toBeNull();
  await settled(() => switchAuthDialog("login"));
  expect(way()).not.toBeNull();
  await settled(() => {
    auth.asksSecondFactor = true;
  });
  expect(way()).toBeNull();
});

test("Telegram is no way to sign in where no mini-app is configured", async () => {
  await open(null);
  expect(way()).toBeNull();
  expect(document.body.textContent).not.toContain(login.orEmail);
});

test("a new account is welcomed shortly: what was begun as a guest goes on under the message", async () => {
  await open(null);
  await settled(() => view.get("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
  const [welcome] = notifications.queue;
  expect(welcome?.message).toBe(allMessages("en").account.welcome);
  expect(welcome?.timeoutMs).toBeLessThanOrEqual(3_000);
  if (welcome !== undefined) dismiss(welcome.id);
});

test.each([
  ["login", "email", "password", "ERR_INVALID_CREDENTIALS"],
  ["register", "password", "passwordConfirm", "PASSWORD_DO_NOT_MATCH_ERROR"],
] as const)(
  "an error of two fields of the %s dialog marks both, and the last one says it for both",
  async (dialog, first, last, error) => {
    await open(null);
    await settled(() => {
      switchAuthDialog(dialog);
      auth.errors = { [first]: error, [last]: error };
    });
    for (const field of [first, last]) {
      const input = document.querySelector(`#auth-${field}`);
      expect(input?.getAttribute("aria-invalid")).toBe("true");
      expect(input?.closest(".w-field__box--error")).not.toBeNull();
      expect(input?.getAttribute("aria-describedby")?.split(" ")).toContain(`auth-${last}-error`);
    }
    expect(document.querySelectorAll(".w-field__note--error")).toHaveLength(1);
  },
);
