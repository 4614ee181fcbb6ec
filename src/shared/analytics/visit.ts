import { localStore, sessionStore } from "../browser/storage.ts";
import { UTM_KEY } from "./utm-key.ts";
import { isCampaign, utmRecord } from "./utm.ts";

const SESSION_KEY = "wherry-session";
const FIRST_COOKIE = "firstVisitUtm";
/** spec §9 */
const FIRST_VISIT_SECONDS = 720 * 3_600;

/** Records where a visit came from (spec §3): the newest campaign in the browser's storage, the first visit's in a cookie. */
export function recordVisit(now = Date.now()): void {
  const record = utmRecord({
    url: location.href,
    referrer: document.referrer,
    userAgent: navigator.userAgent,
    language: navigator.language,
    screenSize: `${screen.width}x${screen.height}`,
    sessionId: sessionId(),
    now,
  });
  if (isCampaign(record) || localStore.get(UTM_KEY) === null) localStore.set(UTM_KEY, JSON.stringify(record));
  if (readCookie() !== null) return;
  const { timestamp, utmParams, gclid, gad_source } = record;
  const first = encodeURIComponent(JSON.stringify({ timestamp, utmParams, gclid, gad_source }));
  document.cookie = `${FIRST_COOKIE}=${first}; Max-Age=${FIRST_VISIT_SECONDS}; Path=/; SameSite=Lax`;
}

/** Random, for one tab's visit. */
export function sessionId(): string {
  const kept = sessionStore.get(SESSION_KEY);
  if (kept !== null) return kept;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  sessionStore.set(SESSION_KEY, made.join(""));
  return made.join("");
}

const readCookie = (): string | null =>
  document.cookie.split("; ").find((pair) => pair.startsWith(`${FIRST_COOKIE}=`)) ?? null;
