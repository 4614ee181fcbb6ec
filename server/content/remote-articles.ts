import { z } from "zod";
import { CodedError } from "#contract/errors.ts";
import { type ArticleAnswer, articleAnswerSchema, articleListSchema, searchIndexSchema } from "#contract/content.ts";
import { boundedFetch } from "../base/bounded-fetch.ts";
import { type CachedAnswer, keepFresh } from "../base/cached-answer.ts";
import type { Log } from "../base/logging/log.ts";
import type { Articles } from "./articles.ts";
import { sanitiseArticle } from "./sanitise.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** For so long an answer is given as it is; an older one is given while a newer one is fetched, up to ten times as long. */
const FRESH_MS = 60_000;
/** Articles and parts of lists that are kept; the one that was asked for longest ago makes room. */
const MAX_KEPT = 500;
const RETRY_SECONDS = 30;

export type RemoteOptions = {
  /** `CONTENT_URL`, without a trailing slash. */
  readonly host: string;
  readonly log: Pick<Log, "warn">;
  /** Real time in milliseconds. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
};

/**
 * The articles of another host that answers the content calls (contract §12). Every answer is parsed, bounded and kept, and the text of
 * an article is sanitised: the host may be wrong or taken over. ERR_SERVICE_UNAVAILABLE while it can't be used.
 */
export function openRemoteArticles(options: RemoteOptions): Articles {
  const { host, log, now, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const fetchBounded = boundedFetch(maxBytes);
  const kept = new Map<string, CachedAnswer<unknown>>();

  const fetchAnswer = async <Answer>(path: string, read: (body: unknown) => Promise<Answer> | Answer) => {
    try {
      const answer = await fetchBounded(host + path, {
        headers: { accept: "application/json" },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return null;
      }
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      return await read(JSON.parse(await answer.text(), readable));
    } catch (error) {
      log.warn({ err: error, path }, "the articles of CONTENT_URL can't be read");
      throw new CodedError("ERR_SERVICE_UNAVAILABLE", "The articles can't be read at the moment", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
  };

  const ask = async <Answer>(
    path: string,
    read: (body: unknown) => Promise<Answer> | Answer,
  ): Promise<Answer | null> => {
    const answer =
      (kept.get(path) as CachedAnswer<Answer | null> | undefined) ??
      keepFresh(() => fetchAnswer(path, read), { freshMs: FRESH_MS, log, ...(now && { now }) });
    kept.delete(path);
    kept.set(path, answer);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return answer.get();
  };

  return {
    async list({ section, locale }, { category, offset, limit }) {
      const query = new URLSearchParams({
        offset: String(offset),
        per_page: String(limit),
        ...(category && { category }),
      });
      const list = await ask(`/content/${section}/${locale}?${query.toString()}`, (body) => {
        const answered = z.parse(articleListSchema, body);
        return { ...answered, items: answered.items.map(withoutCover) };
      });
      return list ?? { items: [], total: 0, categories: [] };
    },
    find: ({ section, locale }, slug) =>
      ask(`/content/${section}/${locale}?${new URLSearchParams({ slug }).toString()}`, async (body) => {
        const answer = z.parse(articleAnswerSchema, body);
        if (answer.article.slug !== slug) throw new Error(`another article was answered: ${answer.article.slug}`);
        return sanitised(answer);
      }),
    searchIndex: async ({ section, locale }) =>
      (await ask(`/content/${section}/${locale}/search-index`, (body) => z.parse(searchIndexSchema, body))) ?? {
        index: "",
      },
  };
}

/** A title, an author or another line without what nobody sees and what turns the text around it; half a letter is none in UTF-8. */
const readable = (key: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const text = value.toWellFormed();
  return key === "html" || key === "index" ? text : text.replace(/[\t\n\r\u2028\u2029]+/g, " ").replace(UNSEEN, "");
};
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu;

/** The pictures are files of the other host. */
const withoutCover = <Item extends { cover: string | null }>(item: Item): Item => ({ ...item, cover: null });

async function sanitised(answer: ArticleAnswer): Promise<ArticleAnswer> {
  const article = withoutCover({ ...answer.article, html: await sanitiseArticle(answer.article.html) });
  return { ...answer, article, related: answer.related.map(withoutCover) };
}
