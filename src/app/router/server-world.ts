import type { Api, RenderRequest } from "#contract/ssr.ts";
import { readAnswer } from "../../shared/http/answer.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import { type GuardWorld, guest } from "../guards/guard.ts";
import { referralCookie } from "../guards/referral.ts";

/** What guards use of one request; cookies that they set are put into `cookies`. */
export function serverWorld(request: RenderRequest, words: Translator, cookies: string[]): GuardWorld {
  const api = inProcess(request);
  return {
    api,
    words,
    account: guest,
    now: Date.parse(request.now),
    // The launch data itself stands behind the hash, which no server sees.
    isMiniApp: /[?&]tgWebApp/.test(request.url),
    isSeoChecked: request.settings.isSeoChecked,
    keepReferral: (referral) => void cookies.push(referralCookie(referral, request.origin.startsWith("https:"))),
    redirects: () => api.call("redirects"),
    seoFetchedAt: new Map(),
  };
}

/** The calls, answered in this process. */
export function inProcess({ api }: Pick<RenderRequest, "api">): Api {
  return {
    async call(name, ...[input]) {
      const { httpStatus, body } = await api(name, input ?? {});
      return readAnswer(name, httpStatus, body);
    },
  };
}
