import { localStore, readJson, sessionStore } from "../storage.ts";
import { isCampaign, utmRecord, type UtmRecord, utmRecordSchema } from "./utm.ts";

const SESSION_KEY = "wherry-session";
const UTM_KEY = "wherry-utm";
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
  if (isCampaign(record) || readUtmRecord() === null) localStore.set(UTM_KEY, JSON.stringify(record));
  if (readCookie() !== null) return;
  const { timestamp, utmParams, gclid, gad_source } = record;
  const first = encodeURIComponent(JSON.stringify({ timestamp, utmParams, gclid, gad_source }));
  document.cookie = `${FIRST_COOKIE}=${first}; Max-Age=${FIRST_VISIT_SECONDS}; Path=/; SameSite=Lax`;
}

/** What an order is sent with as `utmData`; null before a visit was recorded. */
export function readUtmRecord(): UtmRecord | null {
  const parsed = utmRecordSchema.safeParse(readJson(localStore, UTM_KEY));
  return parsed.success ? parsed.data : null;
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
