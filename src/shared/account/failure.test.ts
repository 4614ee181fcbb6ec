import { describe, expect, it } from "vitest";
import type { ErrorCode } from "#contract/errors.ts";
import { CallError } from "../http/call-error.ts";
import { type AuthFailure, isReferrerUnknown, needsReauthentication, readAuthFailure } from "./failure.ts";
import type { AuthDialog, FieldErrors } from "./auth-fields.ts";

const coded = (code: ErrorCode, data: Record<string, unknown> = {}, httpStatus = 400, message = "no") =>
  new CallError({ kind: "coded", code, data, httpStatus, message });
const fields = (errors: FieldErrors): AuthFailure => ({ kind: "fields", fields: errors });
const general = (failure: "unreachable" | "tooMany" | "other"): AuthFailure => ({ kind: "general", failure });

describe("a failed call of a dialog", () => {
  it.each<[string, AuthDialog, unknown, boolean, AuthFailure]>([
    [
      "a refused password rule",
      "register",
      coded("ERR_VALIDATION", { password: "common" }),
      false,
      fields({ password: "account_password_validation_error" }),
    ],
    [
      "a refused email",
      "restore",
      coded("ERR_VALIDATION", { email: "no email" }),
      false,
      fields({ email: "EMAIL_VALIDATION_ERROR" }),
    ],
    [
      "another refused field",
      "login",
      coded("ERR_VALIDATION", { browserFingerprint: "long" }),
      false,
      general("other"),
    ],
    [
      "wrong credentials",
      "login",
      coded("ERR_INVALID_CREDENTIALS"),
      false,
      fields({ email: "ERR_INVALID_CREDENTIALS", password: "ERR_INVALID_CREDENTIALS" }),
    ],
    [
      "a wrong second factor",
      "login",
      coded("ERR_INVALID_CREDENTIALS"),
      true,
      fields({ secondFactorCode: "secondFactorWrong" }),
    ],
    [
      "a taken email",
      "register",
      coded("ERR_USER_ALREADY_REGISTERED", {}, 409),
      false,
      fields({ email: "ERR_USER_ALREADY_REGISTERED" }),
    ],
    [
      "a wrong reset code",
      "newPassword",
      coded("ERR_INVALID_PASSWORD_RESET_CODE"),
      false,
      fields({ passwordResetCode: "ERR_INVALID_PASSWORD_RESET_CODE" }),
    ],
    [
      "a second factor that is asked for",
      "login",
      coded("ERR_FORBIDDEN", { secondFactor: true }, 403),
      false,
      { kind: "secondFactor" },
    ],
    [
      "a second factor that is asked for again",
      "login",
      coded("ERR_FORBIDDEN", { secondFactor: true }, 403),
      true,
      fields({ secondFactorCode: "secondFactorWrong" }),
    ],
    ["another refusal", "login", coded("ERR_FORBIDDEN", {}, 403), false, general("other")],
    [
      "a conflict of the database",
      "register",
      coded("ERR_PRISMA_CLIENT_KNOWN_REQUEST", {}, 409),
      false,
      { kind: "conflict" },
    ],
    ["too many tries", "login", coded("ERR_BAD_REQUEST", {}, 429), false, general("tooMany")],
    ["no network", "login", new CallError({ kind: "network", message: "no" }), false, general("unreachable")],
    ["no answer in time", "login", new CallError({ kind: "timeout", message: "no" }), false, general("unreachable")],
    ["any other code", "login", coded("ERR_INTERNAL_SERVER_ERROR", {}, 500), false, general("other")],
    ["a defect of our own", "login", new TypeError("no"), false, general("other")],
  ])("%s in %s", (_, dialog, error, sentCode, expected) =>
    expect(readAuthFailure(error, dialog, sentCode)).toEqual(expected),
  );
});

it("knows an unknown referrer by the name of its field alone", () => {
  expect(isReferrerUnknown(coded("ERR_NOT_FOUND", {}, 404, "no such referrerAffiliateId"))).toBe(true);
  expect(isReferrerUnknown(coded("ERR_NOT_FOUND", {}, 404, "no such user"))).toBe(false);
  expect(isReferrerUnknown(coded("ERR_VALIDATION", {}, 400, "no such referrerAffiliateId"))).toBe(false);
});

it("knows when the password is asked for once more", () => {
  expect(needsReauthentication(coded("ERR_FORBIDDEN", { reauthenticate: true }, 403))).toBe(true);
  expect(needsReauthentication(coded("ERR_FORBIDDEN", { secondFactor: true }, 403))).toBe(false);
});
