import { allMessages } from "../../shared/i18n/all-messages.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { account } from "../../shared/account/account.ts";
import { keepAccount } from "../../shared/account/account-store.ts";
import { accessToken, setAccessToken } from "../../shared/http/access-token.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { browserApi } from "../../shared/http/http.ts";
import { createI18n } from "../../shared/i18n/create-i18n.ts";
import { fakeTelegramClient } from "../testing/fake-client.ts";
import { type Popup, popupFault } from "../popup.ts";
import { openSettings } from "./settings.ts";

const i18n = createI18n("en", allMessages("en"));
const ANN = {
  userId: 7,
  email: null,
  permissions: "USER" as const,
  adminPermissionsScope: null,
  isEmailConfirmed: false,
  isTelegramLinked: true,
  hasSecondFactor: false,
  createdAt: "2026-11-21T12:00:00.000Z",
};

const went: string[] = [];
const kept: string[] = [];
beforeEach(() => {
  went.length = 0;
  kept.length = 0;
  vi.spyOn(location, "assign").mockImplementation((to) => void went.push(String(to)));
  history.replaceState(null, "", "/exchange-eth-btc?amount=2#tgWebAppData=x");
});
afterEach(() => {
  account.data = null;
  vi.restoreAllMocks();
});

/** Opens the settings by the client's menu, and presses this button of its popup. */
async function press(id: string | null): Promise<{ asked: Popup | undefined; closed: number }> {
  const seen: { asked: Popup | undefined; closed: number } = { asked: undefined, closed: 0 };
  const telegram = fakeTelegramClient({
    popUp: async (popup) => {
      seen.asked = popup;
      return id;
    },
    close: () => void (seen.closed += 1),
  });
  await openSettings(telegram, i18n, (locale) => void kept.push(locale));
  return seen;
}

describe("Telegram's settings", () => {
  test("offer a guest the other language, in a popup that breaks no rule", async () => {
    const { asked } = await press(null);
    expect(asked?.message).toBe(allMessages("en").telegram.settings.guest);
    expect(asked?.buttons?.map(({ id }) => id)).toEqual(["ru", "cancel"]);
    expect(asked && popupFault(asked)).toBeNull();
    expect(went).toEqual([]);
  });

  test("change the language where their reader stands, and keep the launch data", async () => {
    await press("ru");
    expect(went).toEqual(["/ru/exchange-eth-btc?amount=2#tgWebAppData=x"]);
    expect(kept).toEqual(["ru"]);
  });

  test.each([
    ["ends the session", () => ({})],
    [
      "without a network ends it on this device",
      () => {
        throw new CallError({ kind: "network", message: "not reached" });
      },
    ],
  ])("let a user log out, which %s, forgets everything and closes the app", async (_, answer) => {
    vi.spyOn(console, "warn").mockReturnValue();
    const logOut = vi.spyOn(browserApi, "call").mockImplementation(async () => answer());
    keepAccount(ANN);
    setAccessToken("t");
    const { asked, closed } = await press("log-out");
    expect(asked?.buttons?.map(({ id }) => id)).toEqual(["ru", "log-out", "cancel"]);
    expect(asked?.message).toBe(allMessages("en").telegram.settings.signedIn);
    expect(logOut).toHaveBeenCalledExactlyOnceWith("logOut");
    expect(closed).toBe(1);
    expect(account.data).toBeNull();
    expect(accessToken()).toBeNull();
    expect(localStorage.getItem("wherry-account")).toBeNull();
  });
});
