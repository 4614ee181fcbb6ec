import { afterEach, expect, test, vi } from "vitest";
import { account } from "../../../shared/account/account.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { CallError } from "../../../shared/http/call-error.ts";
import { fakeTelegramClient } from "../../../telegram/testing/fake-client.ts";
import type { TelegramClient } from "../../../telegram/telegram-client.ts";
import { withReauthentication } from "../../../shared/account/reauthentication.ts";
import { sampleAccount } from "../../../shared/testing/sample-account.ts";
import { ReauthenticationDialog } from "./reauthentication-dialog.tsx";

const around = vi.hoisted(() => ({ telegram: null as TelegramClient | null }));
vi.mock("../../../telegram/load-client.ts", () => ({ loadTelegramClient: async () => around.telegram }));

let view: View;
afterEach(async () => {
  await view.unmount();
  account.data = null;
});

const refusal = () =>
  new CallError({ kind: "coded", code: "ERR_FORBIDDEN", message: "x", data: { reauthenticate: true } });

/** Asks for something that takes a proof; what became of it. */
async function ask(): Promise<{ result: Promise<unknown> }> {
  view = await render(<ReauthenticationDialog hasSecondFactor={false} />);
  const result = withReauthentication(() => Promise.reject(refusal()));
  await settled();
  return { result };
}

test("who has a password is asked for it", async () => {
  account.data = sampleAccount();
  await ask();
  expect(document.querySelector("#reauthenticate-password")).not.toBeNull();
});

test("Telegram's user, who has none, is led to a new launch, and the app closes", async () => {
  account.data = sampleAccount({ email: null });
  let closings = 0;
  around.telegram = fakeTelegramClient({ close: () => void (closings += 1) });
  const { result } = await ask();
  expect(document.querySelector("#reauthenticate-password")).toBeNull();
  expect(view.container.textContent).toContain("open it again from Telegram");
  await settled(() => [...view.container.querySelectorAll("button")].at(-1)?.click());
  expect(await result).toBeNull();
  expect(closings).toBe(1);
});
