import { SWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountData } from "#contract/accounts/account.ts";
import { CodedError } from "#contract/errors.ts";
import { account, useAccount } from "../../../shared/account/account.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { createFakeService } from "../../../shared/testing/fake-service.ts";
import { sampleAccount } from "../../../shared/testing/sample-account.ts";
import { InfoPage } from "./info-page.tsx";

const SENT = "POST /api/v1/users/local/change-email";
const UNLINKED = "POST /api/v1/users/unlink-telegram";

let view: View;
let known: AccountData;
let refusal: CodedError;
let service: ReturnType<typeof createFakeService>;
const text = () => view.container.textContent.replace(/\s/g, " ");
const until = (isThere: () => boolean) =>
  // The client loads with the first call.
  vi.waitFor(
    async () => {
      await settled();
      expect(isThere()).toBe(true);
    },
    { timeout: 10_000 },
  );
const press = (name: string) =>
  settled(() => {
    const buttons = [...view.container.querySelectorAll<HTMLElement>("button")];
    const found = buttons.filter((button) => button.textContent.replace(/\s+/g, " ").trim() === name).at(-1);
    if (found === undefined) throw new Error(`no button says ${name}`);
    found.click();
  });
const type = (selector: string, typed: string) =>
  settled(() => {
    const field = view.get<HTMLInputElement>(selector);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, typed);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

function Page() {
  const data = useAccount();
  return data === null ? null : <InfoPage account={data} onDeleted={async () => undefined} />;
}

async function open(data: AccountData): Promise<void> {
  known = data;
  account.data = data;
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, errorRetryCount: 0 }}>
      <PageContext value={{ data: null, now: "2026-11-21T12:00:00.000Z", isSandbox: true }}>
        <Page />
      </PageContext>
    </SWRConfig>,
  );
  await settled();
}

beforeEach(() => {
  localStorage.clear();
  service = createFakeService({
    [SENT]: () => ({}),
    "POST /api/v1/users/local/confirm-email": ({ body }) => {
      if ((body as { code: string }).code !== "7KQ4M2XD")
        throw new CodedError("ERR_INVALID_PASSWORD_RESET_CODE", "not valid");
      known = { ...known, isEmailConfirmed: true };
      return {};
    },
    "POST /api/v1/users/delete-account": () => {
      throw refusal;
    },
    [UNLINKED]: () => {
      known = { ...known, isTelegramLinked: false };
      return {};
    },
    "GET /api/v1/users/account-data": () => known,
    "GET /api/v1/users/sessions": () => [],
    "GET /api/v1/users/push": () => ({ publicKey: null, endpoint: null }),
  });
  vi.stubGlobal("fetch", (request: Request) => service.fetch(request));
});
afterEach(async () => {
  await view.unmount();
  account.data = null;
  vi.unstubAllGlobals();
});

describe("an email that nobody has confirmed", () => {
  test("is confirmed by the code that is mailed to it, on request again", async () => {
    await open(sampleAccount({ isEmailConfirmed: false }));
    await press("Send the code");
    await until(() => view.container.querySelector("#email-code") !== null);
    expect(service.askedOf(SENT).map(({ body }) => body)).toEqual([{ email: "ann@mail.example" }]);
    await press("Send another code");
    await until(() => service.askedOf(SENT).length === 2);

    await press("Confirm");
    await until(() => text().includes("Enter the code"));
    expect(service.askedOf("POST /api/v1/users/local/confirm-email")).toHaveLength(0);
    await type("#email-code", "WRONG");
    await press("Confirm");
    await until(() => text().includes("This code is wrong or has expired"));
    await type("#email-code", "7kq4 m2xd");
    await press("Confirm");
    await until(() => !text().includes("Confirm your email"));
  });

  test("is asked about no more once it is confirmed, and never where there is none", async () => {
    await open(sampleAccount());
    expect(text()).not.toContain("Confirm your email");
    await view.unmount();
    await open(sampleAccount({ email: null, isEmailConfirmed: false, isTelegramLinked: true }));
    expect(text()).not.toContain("Confirm your email");
  });
});

describe("a second factor", () => {
  const BEGIN = "POST /api/v1/users/second-factor/begin";
  const CONFIRM = "POST /api/v1/users/second-factor/confirm";

  test("is confirmed by a code that was typed, and its recovery codes stay until they are said to be saved", async () => {
    service.answers[BEGIN] = () => ({ secret: "ABCDEFGH", uri: "otpauth://totp/Wherry?secret=ABCDEFGH" });
    service.answers[CONFIRM] = () => ({ recoveryCodes: ["aaaa-bbbb"] });
    await open(sampleAccount());
    await press("Turn on Second factor");
    await until(() => view.container.querySelector("#second-factor-code") !== null);
    const confirm = () => settled(() => view.get<HTMLInputElement>("#second-factor-code").form?.requestSubmit());
    await confirm();
    await until(() => text().includes("Enter the code"));
    expect(service.askedOf(CONFIRM)).toHaveLength(0);
    await type("#second-factor-code", "123 456");
    await confirm();
    await until(() => text().includes("aaaa-bbbb"));
    await settled(() =>
      view
        .get(".w-profile__codes")
        .closest("dialog")
        ?.dispatchEvent(new Event("cancel", { cancelable: true })),
    );
    await until(() => text().includes("Save the codes before you close this"));
    expect(text()).toContain("aaaa-bbbb");
    await press("I’ve saved them");
    await until(() => view.container.querySelector("dialog[open] .w-profile__codes") === null);
  });
});

describe("Telegram", () => {
  test("is unlinked after a question, where an email still opens the account", async () => {
    await open(sampleAccount({ isTelegramLinked: true }));
    await press("Unlink Telegram");
    expect(service.askedOf(UNLINKED)).toHaveLength(0);
    await press("Unlink Telegram");
    await until(() => !text().includes("Linked. Telegram opens this account."));
    expect(service.askedOf(UNLINKED)).toHaveLength(1);
  });

  test("stays where it is the one way in", async () => {
    await open(sampleAccount({ email: null, isTelegramLinked: true }));
    expect(text()).toContain("This account opens in Telegram alone.");
    expect(text()).not.toContain("Unlink");
  });
});

test.each([
  { data: {}, said: "An order is still open, or money is owed to you" },
  { data: { outstanding: true }, said: "You were paid more than your wallet held" },
])("an account that can't be deleted yet says why, with $data", async ({ data, said }) => {
  refusal = new CodedError("ERR_UNPROCESSABLE_ENTITY", "not yet", { data });
  await open(sampleAccount());
  await press("Delete Delete the account");
  await press("Delete the account");
  await until(() => text().includes(said));
});
