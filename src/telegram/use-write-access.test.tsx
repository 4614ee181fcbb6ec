import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountData } from "#contract/accounts/account.ts";
import { render, settled, type View } from "../shared/testing/render.tsx";
import { fakeTelegramClient } from "./testing/fake-client.ts";
import type { TelegramClient, WriteAccessAnswer } from "./telegram-client.ts";

const around = vi.hoisted((): { telegram: TelegramClient | null } => ({ telegram: null }));
vi.mock("./load-client.ts", () => ({ loadTelegramClient: async () => around.telegram }));

const ANN: AccountData = {
  userId: 7,
  email: null,
  permissions: "USER",
  adminPermissionsScope: null,
  isEmailConfirmed: false,
  isTelegramLinked: true,
  hasSecondFactor: false,
  createdAt: "2026-01-01T00:00:00.000Z",
};

let views: View[];
let answer: WriteAccessAnswer;
let asked: number;

const client = (writeAccess: TelegramClient["writeAccess"]) =>
  fakeTelegramClient({
    writeAccess,
    requestWriteAccess: async () => {
      asked += 1;
      return answer;
    },
  });

beforeEach(() => {
  views = [];
  asked = 0;
  around.telegram = client("open");
});
afterEach(async () => {
  for (const view of views) await view.unmount();
  localStorage.clear();
  sessionStorage.clear();
});

/** A page of its own, as after a reload: its modules read what the device has kept. */
async function open(data: AccountData | null = ANN): Promise<View> {
  vi.resetModules();
  const [{ useWriteAccess }, { account }] = await Promise.all([
    import("./use-write-access.ts"),
    import("../shared/account/account.ts"),
  ]);
  account.data = data;
  function Access() {
    const access = useWriteAccess();
    return access === null ? null : (
      <button type="button" onClick={access.ask}>
        {access.state}
      </button>
    );
  }
  const view = await render(<Access />);
  views.push(view);
  await settled();
  return view;
}
const said = (view: View): string => view.container.textContent;
const press = (view: View) => settled(() => view.get<HTMLButtonElement>("button").click());

describe("the bot's right to write", () => {
  test("is asked for in a click alone, and once it is given not again in this launch", async () => {
    answer = "allowed";
    const view = await open();
    expect([said(view), asked]).toEqual(["open", 0]);
    await press(view);
    expect([said(view), asked]).toEqual(["allowed", 1]);
    expect(said(await open())).toBe("");
  });

  test("that was refused is remembered, for this user, who may change their mind", async () => {
    answer = "refused";
    await press(await open());
    sessionStorage.clear();
    const later = await open();
    expect([said(later), asked]).toEqual(["refused", 1]);
    expect(said(await open({ ...ANN, userId: 8 }))).toBe("open");

    answer = "allowed";
    await press(later);
    expect(said(later)).toBe("allowed");
    sessionStorage.clear();
    expect(said(await open())).toBe("open");
  });

  test("that the client doesn't ask for can be asked for again, and nothing is remembered", async () => {
    answer = "unanswered";
    const view = await open();
    await press(view);
    expect(said(view)).toBe("unanswered");
    await press(view);
    expect([asked, said(await open())]).toEqual([2, "open"]);
  });

  test.each([
    ["the bot may write already", ANN, client("allowed")],
    ["the client can't ask", ANN, client("unsupported")],
    ["no Telegram client is around the page", ANN, null],
    ["nobody is signed in", null, client("open")],
    ["the account is not this Telegram user's", { ...ANN, isTelegramLinked: false }, client("open")],
  ])("is not asked for where %s", async (_, data, telegram) => {
    around.telegram = telegram;
    expect(said(await open(data))).toBe("");
  });
});
