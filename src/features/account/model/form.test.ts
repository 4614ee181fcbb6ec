import { describe, expect, it } from "vitest";
import type { AuthDialog, AuthField, FieldErrors } from "../../../shared/account/auth-fields.ts";
import { checkForm, cleanResetCode, emptyAuthData, firstWrong } from "./form.ts";

const good = {
  ...emptyAuthData(),
  email: "marit@example.com",
  password: "kTw9mZr4qX",
  passwordConfirm: "kTw9mZr4qX",
  passwordResetCode: "7KQ4M2XD",
  isTermsAccepted: true,
};

describe("what a dialog finds wrong before it sends", () => {
  it.each<[AuthDialog]>([["login"], ["register"], ["restore"], ["newPassword"]])("nothing in a full %s", (dialog) =>
    expect(checkForm(dialog, good, false)).toEqual({}),
  );

  it.each<[string, AuthDialog, Partial<typeof good>, FieldErrors]>([
    ["no email", "login", { email: "" }, { email: "EMAIL_VALIDATION_ERROR" }],
    ["an email without a suffix", "restore", { email: "marit@example" }, { email: "EMAIL_VALIDATION_ERROR" }],
    ["a suffix of 64", "login", { email: `a@b.${"c".repeat(64)}` }, { email: "EMAIL_VALIDATION_ERROR" }],
    ["255 characters", "login", { email: `a@${"b.".repeat(125)}com` }, { email: "EMAIL_VALIDATION_ERROR" }],
    ["no password", "login", { password: "" }, { password: "passwordMissing" }],
    ["a short old password is the service's to judge", "login", { password: "x" }, {}],
    ["a short password", "register", { password: "x", passwordConfirm: "x" }, { password: "passwordRules" }],
    [
      "passwords that differ",
      "register",
      { passwordConfirm: "other" },
      { password: "PASSWORD_DO_NOT_MATCH_ERROR", passwordConfirm: "PASSWORD_DO_NOT_MATCH_ERROR" },
    ],
    [
      "passwords that differ",
      "newPassword",
      { passwordConfirm: "other" },
      { password: "PASSWORD_DO_NOT_MATCH_ERROR", passwordConfirm: "PASSWORD_DO_NOT_MATCH_ERROR" },
    ],
    [
      "short passwords that differ",
      "register",
      { password: "short", passwordConfirm: "other" },
      { password: "PASSWORD_DO_NOT_MATCH_ERROR", passwordConfirm: "PASSWORD_DO_NOT_MATCH_ERROR" },
    ],
    ["terms not accepted", "register", { isTermsAccepted: false }, { isTermsAccepted: "error_agree_privacy" }],
    ["no reset code", "newPassword", { passwordResetCode: "" }, { passwordResetCode: "codeMissing" }],
  ])("%s in %s", (_, dialog, change, expected) =>
    expect(checkForm(dialog, { ...good, ...change }, false)).toEqual(expected),
  );

  it("takes a suffix of 63 letters and a domain in Cyrillic", () => {
    expect(checkForm("restore", { ...good, email: `a@b.${"c".repeat(63)}` }, false)).toEqual({});
    expect(checkForm("restore", { ...good, email: "марит@пример.рф" }, false)).toEqual({});
  });

  it("asks for the second factor's code once the service has", () => {
    expect(checkForm("login", good, true)).toEqual({ secondFactorCode: "codeMissing" });
    expect(checkForm("login", { ...good, secondFactorCode: "123456" }, true)).toEqual({});
  });
});

it.each<[AuthDialog, FieldErrors, AuthField | null]>([
  ["login", {}, null],
  ["login", { password: "ERR_INVALID_CREDENTIALS", email: "ERR_INVALID_CREDENTIALS" }, "email"],
  ["register", { isTermsAccepted: "error_agree_privacy" }, "isTermsAccepted"],
  ["newPassword", { password: "passwordRules", passwordResetCode: "codeMissing" }, "passwordResetCode"],
])("the first wrong field of %s with %o is %s", (dialog, errors, field) =>
  expect(firstWrong(dialog, errors)).toBe(field),
);

it.each([
  ["7kq4-m2xd", "7KQ4M2XD"],
  [" 7KQ4 M2XD ", "7KQ4M2XD"],
  ["OIL4M2XD", "0114M2XD"],
  ["7KQ4M2XDZZ", "7KQ4M2XD"],
])("a typed code %s is read as %s", (typed, code) => expect(cleanResetCode(typed)).toBe(code));
