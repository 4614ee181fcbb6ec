import { allMessages } from "../../shared/i18n/all-messages.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Api } from "#contract/site/ssr.ts";
import { accessToken, endSession } from "../../shared/http/access-token.ts";
import { subscribe } from "valtio";
import { account } from "../../shared/account/account.ts";
import { resetAccount } from "../../shared/account/account-store.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { signInSettled } from "../../shared/http/session.ts";
import { Overlays } from "../../shared/page/overlays.tsx";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { startSignIn } from "./sign-in.tsx";

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

/** A service that answers as the test says; unknown calls fail the test. */
function service(answers: Record<string, () => unknown>) {
  const asked: string[] = [];
  const call = async (name: string) => {
    asked.push(name);
    const answer = answers[name];
    if (answer === undefined) throw new Error(`nobody expected ${name}`);
    return answer();
  };
  return { asked, api: { call } as unknown as Api };
}

const refuse = (code: "ERR_INVALID_CREDENTIALS" | "ERR_UNAUTHORIZED") => () => {
  throw new CallError({ kind: "coded", code, message: code, httpStatus: 400 });
};
const unreachable = () => {
  throw new CallError({ kind: "network", message: "the service was not reached" });
};

const dialog = () => document.querySelector("dialog[open]");
const press = (name: string) =>
  settled(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click());

let view: View;
beforeEach(async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  view = await render(<Overlays />);
});
afterEach(async () => {
  await settled(() => {
    account.showLoginDialog = false;
  });
  vi.restoreAllMocks();
  await view.unmount();
  resetAccount();
});

describe("whoever opens the app in Telegram", () => {
  test("is signed in, and its data stored", async () => {
    const { api } = service({
      authenticateByTelegram: () => ({ accessToken: "t", userId: 7 }),
      accountData: () => ANN,
    });
    await settled(() => startSignIn("launch", api));
    expect(account.data).toEqual(ANN);
    expect(accessToken()).toBe("t");
    expect(dialog()).toBeNull();
  });

  test("has calls of the session wait until the token is there", async () => {
    const answer = Promise.withResolvers<{ accessToken: string; userId: number }>();
    const { api } = service({ authenticateByTelegram: () => answer.promise, accountData: () => ANN });
    const starting = startSignIn("launch", api);
    const tokenOfWaiting = signInSettled().then(accessToken);
    answer.resolve({ accessToken: "t", userId: 7 });
    expect(await tokenOfWaiting).toBe("t");
    await settled(() => starting);
  });

  test("is a guest whom the login dialog asks when that fails, and may try again", async () => {
    localStorage.setItem("wherry-account", JSON.stringify(ANN));
    let answer: () => unknown = refuse("ERR_INVALID_CREDENTIALS");
    const { api, asked } = service({ authenticateByTelegram: () => answer(), accountData: () => ANN });
    await settled(() => startSignIn("launch", api));

    expect(dialog()?.textContent).toContain(allMessages("en").telegram.signIn.refused);
    expect(account.data).toBeNull();
    expect(localStorage.getItem("wherry-account")).toBeNull();

    answer = unreachable;
    await press(allMessages("en").telegram.signIn.retry);
    expect(dialog()?.textContent).toContain(allMessages("en").telegram.signIn.failed);

    answer = () => ({ accessToken: "t", userId: 7 });
    await press(allMessages("en").telegram.signIn.retry);
    expect(account.data).toEqual(ANN);
    expect(account.showLoginDialog).toBe(false);
    expect(asked.filter((name) => name === "authenticateByTelegram")).toHaveLength(3);
  });

  test("may go on as a guest", async () => {
    const { api } = service({ authenticateByTelegram: unreachable });
    await settled(() => startSignIn("launch", api));
    await press(allMessages("en").telegram.signIn.continue);
    expect(account.showLoginDialog).toBe(false);
    expect(account.data).toBeNull();
  });

  test("is signed in anew when the service takes the token no more", async () => {
    let token = 0;
    const { api } = service({
      authenticateByTelegram: () => ({ accessToken: `t${(token += 1)}`, userId: 7 }),
      accountData: () => ANN,
    });
    await settled(() => startSignIn("launch", api));
    await settled(() => endSession("t1"));
    expect(accessToken()).toBe("t2");
    expect(account.data).toEqual(ANN);
  });

  test("stays known while it is signed in anew, so that the page keeps what was typed into its forms", async () => {
    const seen: (number | undefined)[] = [];
    const { api } = service({
      authenticateByTelegram: () => {
        seen.push(account.data?.userId);
        return { accessToken: `t${seen.length}`, userId: 7 };
      },
      accountData: () => ANN,
    });
    await settled(() => startSignIn("launch", api));
    await settled(() => endSession("t1"));
    expect(seen).toEqual([undefined, 7]);
  });

  test("is asked before it becomes a guest: a page of the profile leaves whoever is neither", async () => {
    let answer: () => unknown = () => ({ accessToken: "t1", userId: 7 });
    const { api } = service({ authenticateByTelegram: () => answer(), accountData: () => ANN });
    await settled(() => startSignIn("launch", api));
    answer = refuse("ERR_INVALID_CREDENTIALS");
    const unasked: boolean[] = [];
    const stop = subscribe(account, () => unasked.push(account.data === null && !account.showLoginDialog), true);
    await settled(() => endSession("t1"));
    stop();
    expect(account.data).toBeNull();
    expect(unasked).not.toContain(true);
    await press(allMessages("en").telegram.signIn.continue);
  });

  test("is not signed in without end by tokens that are refused as soon as they are given", async () => {
    const { api, asked } = service({
      authenticateByTelegram: () => ({ accessToken: "expired", userId: 7 }),
      accountData: () => {
        endSession("expired");
        return refuse("ERR_UNAUTHORIZED")();
      },
    });
    await settled(() => startSignIn("launch", api));
    expect(asked).toEqual(["authenticateByTelegram", "accountData"]);
    expect(dialog()?.textContent).toContain(allMessages("en").telegram.signIn.failed);
  });
});
