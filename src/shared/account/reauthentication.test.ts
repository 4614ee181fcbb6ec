import { describe, expect, it } from "vitest";
import { CallError } from "../http/call-error.ts";
import { answerReauthentication, reauthentication, withReauthentication } from "./reauthentication.ts";

const refusal = (data: Record<string, unknown>) =>
  new CallError({ kind: "coded", code: "ERR_FORBIDDEN", httpStatus: 403, message: "no", data });

/** Refused until the password was given. */
function guarded() {
  let isProven = false;
  const act = async () => {
    if (!isProven) throw refusal({ reauthenticate: true });
    return "done";
  };
  return { act, prove: () => (isProven = true) };
}

describe("what takes the password once more", () => {
  it("goes on once it was given", async () => {
    const { act, prove } = guarded();
    const result = withReauthentication(act);
    await expect.poll(() => reauthentication.isAsked).toBe(true);
    prove();
    answerReauthentication(true);
    expect(await result).toBe("done");
    expect(reauthentication.isAsked).toBe(false);
  });

  it("is let go where the dialog was closed", async () => {
    const result = withReauthentication(guarded().act);
    await expect.poll(() => reauthentication.isAsked).toBe(true);
    answerReauthentication(false);
    expect(await result).toBeNull();
  });

  it("is not asked for by another refusal", async () => {
    await expect(withReauthentication(() => Promise.reject(refusal({})))).rejects.toThrow("no");
    expect(reauthentication.isAsked).toBe(false);
  });
});
