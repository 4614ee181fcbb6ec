import { afterEach, expect, test, vi } from "vitest";
import { fakeTelegramClient } from "../../../telegram/testing/fake-client.ts";
import type { TelegramClient } from "../../../telegram/telegram-client.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { sampleAccount } from "../../../shared/testing/sample-account.ts";
import { Identity } from "./identity.tsx";

const around = vi.hoisted((): { telegram: TelegramClient | null } => ({ telegram: null }));
vi.mock("../../../telegram/load-client.ts", () => ({ loadTelegramClient: async () => around.telegram }));

let view: View;
afterEach(() => view.unmount());

const inTelegram = { email: null, isTelegramLinked: true };

test.each([
  ["an email on the web", {}, null, "A", "ann@mail.example"],
  ["an email in Telegram", { isTelegramLinked: true }, "Marit Larsen", "A", "ann@mail.example"],
  ["Telegram alone", inTelegram, "Marit Larsen", "ML", "Marit Larsen"],
  ["one name", inTelegram, "Marit", "M", "Marit"],
  ["no name", inTelegram, null, "T", "Telegram"],
])("an account of %s", async (_, account, personName, initials, name) => {
  around.telegram = fakeTelegramClient({ personName });
  view = await render(<Identity account={sampleAccount(account)} />);
  await settled();
  expect(view.get(".w-avatar").textContent).toBe(initials);
  expect(view.get(".w-profile__name").textContent).toBe(name);
});
