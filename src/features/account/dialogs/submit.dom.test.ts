import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ErrorCode } from "#contract/errors.ts";
import type { Api } from "#contract/site/ssr.ts";
import { account } from "../../../shared/account/account.ts";
import { resetAccount } from "../../../shared/account/account-store.ts";
import { readCookie } from "../../../shared/browser/cookies.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { auth, changeAuthData, closeAuthDialog, openAuthDialog, resetAuth, switchAuthDialog } from "../store.ts";
import { submitAuthDialog } from "./submit.ts";

const ANN = {
  userId: 7,
  email: "ann@mail.example",
  permissions: "USER" as const,
  adminPermissionsScope: null,
  isEmailConfirmed: true,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: "2026-01-01T00:00:00.000Z",
};
const PASSWORD = "kTw9mZr4qX";

/** A service that answers as the test says; unknown calls fail the test. */
function service(answers: Record<string, (input: { body: Record<string, unknown> }) => unknown>) {
  const asked: { name: string; body: Record<string, unknown> | undefined }[] = [];
  const call = async (name: string, input: { body: Record<string, unknown> }) => {
    asked.push({ name, body: input?.body });
    const answer = answers[name];
    if (answer === undefined) throw new Error(`nobody expected ${name}`);
    return answer(input);
  };
  const done: { next: string | null; isNew: boolean }[] = [];
  let conflicts = 0;
  const submit = () =>
    submitAuthDialog({
      api: { call } as unknown as Api,
      locale: "en",
      onSignedIn: (next, isNew) => done.push({ next, isNew }),
      onConflict: () => (conflicts += 1),
    });
  return { asked, done, submit, names: () => asked.map(({ name }) => name), conflicts: () => conflicts };
}

const refuse =
  (code: ErrorCode, data: Record<string, unknown> = {}, message: string = code) =>
  () => {
    throw new CallError({ kind: "coded", code, message, data, httpStatus: 400 });
  };

beforeEach(() => {
  resetAuth();
  resetAccount();
  document.cookie = "referralID=; Max-Age=0; Path=/";
  vi.restoreAllMocks();
});

describe("the login dialog", () => {
  beforeEach(() => {
    openAuthDialog("login", { next: "/profile/info" });
    changeAuthData({ email: "ann@mail.example", password: PASSWORD });
  });

  it("logs in, fetches account data, closes and goes on to the page asked for", async () => {
    const { submit, names, done } = service({ authenticateLocal: () => ({}), accountData: () => ANN });
    await submit();
    expect(names()).toEqual(["authenticateLocal", "accountData"]);
    expect(account.data).toEqual(ANN);
    expect(done).toEqual([{ next: "/profile/info", isNew: false }]);
    expect(auth).toMatchObject({ dialog: null, isPending: false, data: { email: "", password: "" } });
  });

  it("sends nothing that can't be right", async () => {
    changeAuthData({ email: "ann" });
    const { submit, names } = service({});
    await submit();
    expect(names()).toEqual([]);
    expect(auth.errors).toEqual({ email: "EMAIL_VALIDATION_ERROR" });
  });

  it("marks both fields of wrong credentials until one of them changes, and keeps what was typed", async () => {
    const { submit } = service({ authenticateLocal: refuse("ERR_INVALID_CREDENTIALS") });
    await submit();
    expect(auth.errors).toEqual({ email: "ERR_INVALID_CREDENTIALS", password: "ERR_INVALID_CREDENTIALS" });
    expect(auth.data).toMatchObject({ email: "ann@mail.example", password: PASSWORD });
    changeAuthData({ password: "another" });
    expect(auth.errors).toEqual({});
  });

  it("asks for the second factor's code and sends it with the password", async () => {
    const { submit, asked, done } = service({
      authenticateLocal: ({ body }) =>
        body["code"] === "123456" ? {} : refuse("ERR_FORBIDDEN", { secondFactor: true })(),
      accountData: () => ANN,
    });
    await submit();
    expect(auth).toMatchObject({ dialog: "login", asksSecondFactor: true, errors: {} });
    await submit();
    expect(auth.errors).toEqual({ secondFactorCode: "codeMissing" });
    changeAuthData({ secondFactorCode: "000000" });
    await submit();
    expect(auth.errors).toEqual({ secondFactorCode: "secondFactorWrong" });
    changeAuthData({ secondFactorCode: "123456" });
    await submit();
    expect(asked.at(-2)?.body).toMatchObject({ password: PASSWORD, code: "123456" });
    expect(done).toHaveLength(1);
  });

  it("is sent once, however often it is pressed", async () => {
    let answer: (given: unknown) => void = () => undefined;
    const { submit, names } = service({
      authenticateLocal: () => new Promise((resolve) => (answer = resolve)),
      accountData: () => ANN,
    });
    const first = submit();
    await submit();
    answer({});
    await first;
    expect(names()).toEqual(["authenticateLocal", "accountData"]);
  });

  it("says nothing of an answer that comes after it was closed", async () => {
    const { submit } = service({
      authenticateLocal: () => {
        closeAuthDialog();
        openAuthDialog("restore");
        return refuse("ERR_INVALID_CREDENTIALS")();
      },
    });
    await submit();
    expect(auth).toMatchObject({ dialog: "restore", errors: {}, failure: null });
  });

  it.each([
    ["tells of a network that is missing", { kind: "network" } as const, "unreachable"],
    ["tells of too many tries", { kind: "coded", code: "ERR_BAD_REQUEST", httpStatus: 429 } as const, "tooMany"],
  ])("%s, and keeps what was typed", async (_, error, failure) => {
    const { submit } = service({
      authenticateLocal: () => {
        throw new CallError({ message: "no", ...error });
      },
    });
    await submit();
    expect(auth).toMatchObject({ dialog: "login", failure, errors: {}, data: { password: PASSWORD } });
  });
});

describe("the register dialog", () => {
  const fill = () => {
    openAuthDialog("register");
    changeAuthData({ email: "ann@mail.example", password: PASSWORD, passwordConfirm: PASSWORD, isTermsAccepted: true });
  };

  it("registers, marks the registration, logs in and fetches account data (spec §4)", async () => {
    fill();
    let wasMarked = false;
    const { submit, names, done } = service({
      createLocal: () => ({}),
      authenticateLocal: () => ((wasMarked = auth.inSessionRegistration), {}),
      accountData: () => ANN,
    });
    await submit();
    expect(names()).toEqual(["createLocal", "authenticateLocal", "accountData"]);
    expect(wasMarked).toBe(true);
    expect(done).toEqual([{ next: null, isNew: true }]);
  });

  it("registers once where the login after it fails", async () => {
    fill();
    let tries = 0;
    const { submit, names } = service({
      createLocal: () => ({}),
      authenticateLocal: () => {
        if ((tries += 1) === 1) throw new CallError({ kind: "network", message: "no" });
        return {};
      },
      accountData: () => ANN,
    });
    await submit();
    await submit();
    expect(names()).toEqual(["createLocal", "authenticateLocal", "authenticateLocal", "accountData"]);
  });

  it("says on its field that the email is taken", async () => {
    fill();
    const { submit } = service({ createLocal: refuse("ERR_USER_ALREADY_REGISTERED") });
    await submit();
    expect(auth.errors).toEqual({ email: "ERR_USER_ALREADY_REGISTERED" });
  });

  it("sends the referral, and without it once nobody knows it", async () => {
    fill();
    document.cookie = "referralID=gone; Path=/";
    const { submit, asked } = service({
      createLocal: ({ body }) =>
        body["referrerAffiliateId"] === undefined ? {} : refuse("ERR_NOT_FOUND", {}, "unknown referrerAffiliateId")(),
      authenticateLocal: () => ({}),
      accountData: () => ANN,
    });
    await submit();
    const sent = asked.filter(({ name }) => name === "createLocal").map(({ body }) => body?.["referrerAffiliateId"]);
    expect(sent).toEqual(["gone", undefined]);
    expect(readCookie("referralID") || null).toBeNull();
  });

  it("notifies of a known conflict of the database", async () => {
    fill();
    const { submit, conflicts } = service({ createLocal: refuse("ERR_PRISMA_CLIENT_KNOWN_REQUEST") });
    await submit();
    expect(conflicts()).toBe(1);
    expect(auth).toMatchObject({ errors: {}, failure: null });
  });
});

describe("a forgotten password", () => {
  it("goes from the code to the new password to the login, with the email filled in (spec §4)", async () => {
    openAuthDialog("restore");
    changeAuthData({ email: "ann@mail.example" });
    const { submit, asked } = service({ requestPasswordReset: () => ({}), resetPassword: () => ({}) });
    await submit();
    expect(auth).toMatchObject({ dialog: "newPassword", data: { email: "ann@mail.example" } });
    changeAuthData({ passwordResetCode: "7kq4-m2xd", password: PASSWORD, passwordConfirm: PASSWORD });
    await submit();
    expect(asked.at(-1)?.body).toEqual({ email: "ann@mail.example", password: PASSWORD, resetCode: "7KQ4M2XD" });
    expect(auth).toMatchObject({ dialog: "login", note: "reset", data: { email: "ann@mail.example", password: "" } });
  });

  it("says on its field that the code is wrong", async () => {
    openAuthDialog("newPassword");
    changeAuthData({ passwordResetCode: "7KQ4M2XD", password: PASSWORD, passwordConfirm: PASSWORD });
    const { submit } = service({ resetPassword: refuse("ERR_INVALID_PASSWORD_RESET_CODE") });
    await submit();
    expect(auth.errors).toEqual({ passwordResetCode: "ERR_INVALID_PASSWORD_RESET_CODE" });
  });
});

it("clears every error and every password when the dialogs are switched", async () => {
  openAuthDialog("login", { note: "ended" });
  changeAuthData({ email: "ann", password: "x" });
  await service({}).submit();
  expect(auth.errors).not.toEqual({});
  switchAuthDialog("register");
  expect(auth).toMatchObject({ dialog: "register", errors: {}, failure: null, note: null });
  expect(auth.data).toMatchObject({ email: "ann", password: "" });
});
