import { sql } from "kysely";
import { deeplinkReferrer } from "#contract/links/deeplink.ts";
import { isReferrerId } from "#contract/accounts/earnings.ts";
import { normalisedCode } from "../base/mailed-code.ts";
import type { Clock } from "../base/clock.ts";
import type { Database } from "../db/database.ts";

const FLUSH_MS = 1_000;
/** What is remembered at most, so that nobody fills the memory: clients of a day, links of each, and links between two writes. */
const MAX_CLIENTS = 20_000;
const MAX_LINKS_OF_CLIENT = 20;
const MAX_WAITING = 1_000;
const MAX_CLICKS_A_DAY = 100_000;

export type ReferralClicks = {
  /** Counts a page that was opened by a link, once for a client and a day. An unknown link counts for nobody. */
  count(referrerId: string, client: string): void;
  /** Writes what was counted. */
  flush(): Promise<void>;
};

/** How often links are opened. It is no money: what a process has counted in its last second may be lost with it. */
export function createReferralClicks(
  { database, clock }: { database: Database; clock: Clock },
  flushMs = FLUSH_MS,
): ReferralClicks {
  let day = "";
  let timer: NodeJS.Timeout | null = null;
  const seen = new Map<string, Set<string>>();
  const waiting = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.size === 0) return;
    const counted = [...waiting];
    waiting.clear();
    try {
      await sql`
        insert into referral_clicks (user_id, day, clicks)
        select r.user_id, ${day}::date, sum(g.clicks) from unnest(
          ${counted.map(([id]) => id)}::text[], ${counted.map(([, clicks]) => clicks)}::int[]) as g (referrer_id, clicks)
        join referrer_ids r on r.referrer_id = g.referrer_id group by r.user_id order by r.user_id
        on conflict (user_id, day) do update
          set clicks = least(referral_clicks.clicks + excluded.clicks, ${MAX_CLICKS_A_DAY})`.execute(database.kysely);
    } catch (error) {
      database.log.warn({ err: error, links: counted.length }, "opened links could not be counted");
    }
  };

  return {
    count(given, client) {
      const referrerId = normalisedCode(given);
      if (!isReferrerId(referrerId)) return;
      const today = clock.now().toISOString().slice(0, 10);
      if (today !== day) {
        void flush();
        seen.clear();
        day = today;
      }
      const links = seen.get(client) ?? new Set();
      if (links.has(referrerId) || links.size >= MAX_LINKS_OF_CLIENT) return;
      if (!seen.has(client) && seen.size >= MAX_CLIENTS) return;
      seen.set(client, links.add(referrerId));
      if (waiting.size >= MAX_WAITING && !waiting.has(referrerId)) return;
      waiting.set(referrerId, (waiting.get(referrerId) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
  };
}

/** The referral of a page's query: of its link, or of the start parameter that Telegram opens the mini-app with (contract §5). */
export function referralOf(query: unknown): string | null {
  if (typeof query !== "object" || query === null) return null;
  const { ref, tgWebAppStartParam: start } = query as Record<string, unknown>;
  if (typeof ref === "string") return ref;
  return typeof start === "string" ? deeplinkReferrer(start) : null;
}
