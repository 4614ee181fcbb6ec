import { calls } from "#contract/calls.ts";
import type { Api, RenderRequest } from "#contract/site/ssr.ts";
import { readAnswer } from "../../shared/http/read-answer.ts";
import type { I18n } from "../../shared/i18n/create-i18n.ts";
import { type GuardContext, guest } from "../guards/guard.ts";
import { referralCookie } from "../../shared/browser/referral.ts";

/** The guards' context for one request; cookies that they set are appended to `cookies`. */
export function serverContext(request: RenderRequest, i18n: I18n, cookies: string[]): GuardContext {
  const api = inProcessApi(request);
  return {
    api,
    i18n,
    account: { ...guest, isAuthorised: request.isSignedIn === true },
    now: Date.parse(request.now),
    // The launch data is in the hash, which never reaches the server.
    isMiniApp: /[?&]tgWebApp/.test(request.url),
    isSeoChecked: request.settings.isSeoChecked,
    storeReferral: (referral) => void cookies.push(referralCookie(referral, request.origin.startsWith("https:"))),
    redirects: () => api.call("redirects"),
    seoFetchedAt: new Map(),
  };
}

/** The API, called in this process without HTTP. */
export function inProcessApi({ api }: Pick<RenderRequest, "api">): Api {
  return {
    async call(name, ...[input]) {
      const { httpStatus, body } = await api(name, input ?? {});
      return readAnswer(name, calls[name], httpStatus, body);
    },
  };
}
