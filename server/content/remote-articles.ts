import { z } from "zod";
import { CodedError } from "#contract/errors.ts";
import {
  type ArticleAnswer,
  articleAnswerSchema,
  type ArticleIndex,
  articleListSchema,
  searchIndexSchema,
} from "#contract/content.ts";
import { boundedFetch } from "../base/bounded-fetch.ts";
import { type CachedAnswer, keepFresh } from "../base/cached-answer.ts";
import type { Log } from "../base/logging/log.ts";
import { listOf, type Articles, type Source } from "./articles.ts";
import { openSanitiser, type Sanitise, UnsafeArticleError } from "./sanitiser.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** For so long an answer is given as it is; an older one is given while a newer one is fetched, up to ten times as long. */
const FRESH_MS = 60_000;
/** Articles that are kept; the one that was asked for longest ago makes room. */
const MAX_KEPT = 500;
/** Places of their own for what was asked for and isn't there, so that it takes no article's. */
const MAX_MISSES = 50;
/** At a time, as many as a call answers; a section with more articles in a language is read no further. */
const PART = 100;
const MAX_LISTED = 5_000;
const RETRY_SECONDS = 30;

export type RemoteOptions = {
  /** `CONTENT_URL`, without a trailing slash. */
  readonly host: string;
  readonly log: Pick<Log, "warn">;
  /** Real time in milliseconds. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly sanitise?: Sanitise;
};

/** Kept in place of an article that can't be made safe, so that asking for it again costs nothing. */
const UNSAFE = Symbol("unsafe");

/**
 * The articles of another host that answers the content calls (contract §12). Every answer is parsed, bounded and kept, and the text of
 * an article is sanitised: the host may be wrong or taken over. ERR_SERVICE_UNAVAILABLE while it can't be used.
 */
export function openRemoteArticles(options: RemoteOptions): Articles {
  const { host, log, now, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, sanitise = openSanitiser() } = options;
  const fetchBounded = boundedFetch(maxBytes);
  const kept = places(MAX_KEPT);
  const misses = places(MAX_MISSES);
  const indexes = new Map<string, CachedAnswer<ArticleIndex>>();

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
      throw unavailable();
    }
  };

  const ask = async <Answer>(
    path: string,
    read: (body: unknown) => Promise<Answer> | Answer,
  ): Promise<Answer | null> => {
    const known = (kept.get(path) ?? misses.get(path)) as CachedAnswer<Answer | null> | undefined;
    const answer = known ?? keepFresh(() => fetchAnswer(path, read), { freshMs: FRESH_MS, log, ...(now && { now }) });
    if (known === undefined) misses.set(path, answer);
    const answered = await answer.get();
    if (answered !== null) {
      misses.delete(path);
      kept.set(path, answer);
    }
    return answered;
  };

  const readIndex = async ({ section, locale }: Source): Promise<ArticleIndex> => {
    const items: ArticleIndex["items"] = [];
    for (let offset = 0; ; offset += PART) {
      const query = new URLSearchParams({ offset: String(offset), per_page: String(PART) });
      const path = `/content/${section}/${locale}?${query.toString()}`;
      const part = await fetchAnswer(path, (body) => z.parse(articleListSchema, body));
      if (part === null) return { items, categories: [] };
      items.push(...part.items.map(withoutCover));
      const isLast = part.items.length === 0 || items.length >= Math.min(part.total, MAX_LISTED);
      if (isLast) return { items, categories: part.categories };
    }
  };

  /** All articles of a section in a language: what is no part of it needs no question to the host. */
  const indexOf = (source: Source): Promise<ArticleIndex> => {
    const key = `${source.section}/${source.locale}`;
    const index =
      indexes.get(key) ?? keepFresh(() => readIndex(source), { freshMs: FRESH_MS, log, ...(now && { now }) });
    indexes.set(key, index);
    return index.get();
  };

  /** False where the host has no such article; true while that is unknown. */
  const mayHave = async (source: Source, slug: string): Promise<boolean> => {
    try {
      const { items } = await indexOf(source);
      return items.length >= MAX_LISTED || items.some((item) => item.slug === slug);
    } catch (error) {
      if (error instanceof CodedError) return true;
      throw error;
    }
  };

  return {
    list: async (source, part) => listOf(await indexOf(source), part),
    async find(source, slug) {
      const path = `/content/${source.section}/${source.locale}?${new URLSearchParams({ slug }).toString()}`;
      if (!kept.has(path) && !(await mayHave(source, slug))) return null;
      const answer = await ask(path, async (body) => {
        const parsed = z.parse(articleAnswerSchema, body);
        if (parsed.article.slug !== slug) throw new Error(`another article was answered: ${parsed.article.slug}`);
        try {
          return await sanitised(parsed, sanitise);
        } catch (error) {
          if (!(error instanceof UnsafeArticleError)) throw error;
          log.warn({ err: error, path }, "an article of CONTENT_URL can't be made safe");
          return UNSAFE;
        }
      });
      if (answer === UNSAFE) throw unavailable();
      return answer;
    },
    searchIndex: async ({ section, locale }) =>
      (await ask(`/content/${section}/${locale}/search-index`, (body) => z.parse(searchIndexSchema, body))) ?? {
        index: "",
      },
  };
}

const unavailable = (): CodedError =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "The articles can't be read at the moment", {
    retryAfterSeconds: RETRY_SECONDS,
  });

/** A title, an author or another line without what nobody sees and what turns the text around it; half a letter is none in UTF-8. */
const readable = (key: string, value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const text = value.toWellFormed();
  return key === "html" || key === "index" ? text : text.replace(/[\t\n\r\u2028\u2029]+/g, " ").replace(UNSEEN, "");
};
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu;

/** So many answers by their paths; the one that was used longest ago makes room. */
function places(max: number) {
  const known = new Map<string, CachedAnswer<unknown>>();
  return {
    has: (path: string): boolean => known.has(path),
    get: (path: string) => known.get(path),
    delete: (path: string): boolean => known.delete(path),
    set(path: string, answer: CachedAnswer<unknown>): void {
      known.delete(path);
      known.set(path, answer);
      const [oldest] = known.keys();
      if (known.size > max && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** The pictures are files of the other host. */
const withoutCover = <Item extends { cover: string | null }>(item: Item): Item => ({ ...item, cover: null });

async function sanitised(answer: ArticleAnswer, sanitise: Sanitise): Promise<ArticleAnswer> {
  const article = withoutCover({ ...answer.article, html: await sanitise(answer.article.html) });
  return { ...answer, article, related: answer.related.map(withoutCover) };
}
