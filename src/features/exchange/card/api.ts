import {
  CRYPTO_FEATURE,
  EMAIL_CONFIRMED,
  EMAIL_NOT_CONFIRMED,
  FEATURE_COMPLETE,
  MERCURYO_TOKEN_HEADER,
} from "#contract/card.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { call } from "../../../shared/http/http.ts";
import type { CheckStatus, FlowEvent, ProviderCall } from "../model/card-flow.ts";

/** The calls to the card provider, and what each answer means. The token that they share stays in here. */
export function createProviderCalls(onVerificationUrl: (url: string) => void) {
  let token: string | null = null;
  const headers = () => {
    if (token === null) throw new Error("the provider is asked before the sign-in");
    return { [MERCURYO_TOKEN_HEADER]: token };
  };
  const asks: Record<ProviderCall, (signal: AbortSignal) => Promise<FlowEvent>> = {
    "sign-up": async (signal) => {
      await tolerateRegistered(call("cardSignUp", { body: { accept: true }, signal }));
      return { kind: "signed-up" };
    },
    "sign-in": async (signal) => {
      token = (await call("cardSignIn", { body: {}, signal })).bearerToken;
      return { kind: "signed-in-at-provider" };
    },
    "ask-contacts": async (signal) => {
      const { emailStatus } = await call("cardContacts", { headers: headers(), signal });
      return { kind: "contacts", isConfirmed: emailStatus === EMAIL_CONFIRMED };
    },
    "ask-status": async (signal) => {
      const { features } = await call("cardKycStatus", { headers: headers(), signal });
      return {
        kind: "status",
        status: checkStatus(features.find(({ feature }) => feature === CRYPTO_FEATURE)?.status),
      };
    },
    "ask-access-token": async (signal) => {
      const query = { feature: CRYPTO_FEATURE };
      onVerificationUrl((await call("cardAccessToken", { query, headers: headers(), signal })).verificationUrl);
      return { kind: "window-opened" };
    },
  };
  return async (name: ProviderCall, signal: AbortSignal): Promise<FlowEvent> => {
    try {
      return await asks[name](signal);
    } catch (error) {
      signal.throwIfAborted();
      console.warn("the card provider gave no answer to", name, error instanceof CallError ? error.traceId : "");
      return { kind: failureOf(error, name) };
    }
  };
}

/** spec §8: an email that the provider knows is no failure. */
async function tolerateRegistered(signingUp: Promise<unknown>): Promise<void> {
  try {
    await signingUp;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "ERR_USER_ALREADY_REGISTERED") throw error;
  }
}

function checkStatus(status: string | undefined): CheckStatus {
  if (status === FEATURE_COMPLETE) return "complete";
  if (status === "failed") return "refused";
  return status === "under_review" ? "under-review" : "incomplete";
}

const POLLED: ReadonlySet<ProviderCall> = new Set(["ask-contacts", "ask-status"]);
const WITH_TOKEN: ReadonlySet<ProviderCall> = new Set(["ask-contacts", "ask-status", "ask-access-token"]);
/** The provider, or we, may be back at the next question. */
const PASSING = new Set([408, 429, 502, 503, 504]);

type Failed = "unreachable" | "token-ended" | "call-failed" | "email-unconfirmed";

function failureOf(error: unknown, name: ProviderCall): Failed {
  if (!(error instanceof CallError)) return "call-failed";
  if (error.code === "ERR_FORBIDDEN" && error.message === EMAIL_NOT_CONFIRMED) return "email-unconfirmed";
  if (error.kind === "network" || error.kind === "timeout") return "unreachable";
  if (POLLED.has(name) && PASSING.has(error.httpStatus ?? 0)) return "unreachable";
  return error.code === "ERR_UNPROCESSABLE_ENTITY" && WITH_TOKEN.has(name) ? "token-ended" : "call-failed";
}
