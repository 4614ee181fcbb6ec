import { z } from "zod";
import { CodedError } from "#contract/errors.ts";
import {
  type ArticleAnswer,
  articleAnswerSchema,
  type ArticleIndex,
  type ArticleItem,
  articleListSchema,
  searchIndexSchema,
} from "#contract/site/content.ts";
import { boundedFetch } from "../base/outbound/bounded-fetch.ts";
import { type CachedAnswer, keepFresh } from "../base/cached-answer.ts";
import type { Log } from "../base/logging/log.ts";
import { answerCache } from "./answer-cache.ts";
import { listOf, type Articles, type Source } from "./articles.ts";
import { openSanitiser, type Sanitise, UnsafeArticleError } from "./sanitiser.ts";

const TIMEOUT_MS = 5_000;
/** For all parts of a list together. */
const INDEX_TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** For so long an answer is given as it is; an older one is given while a newer one is fetched, up to ten times as long. */
const FRESH_MS = 60_000;
/** A failure is remembered for so long: meanwhile nobody waits for a host that doesn't answer. */
const RETRY_MS = 10_000;
/** Articles that are kept, and the characters of them all. */
const MAX_KEPT = 500;
const MAX_KEPT_LENGTH = 64 * 1024 * 1024;
/** Places of their own for what was asked for and isn't there, so that it takes no article's. */
const MAX_MISSES = 50;
/** At a time, as many as a call answers; a section with more articles in a language is read no further. */
const PART = 100;
const MAX_LISTED = 5_000;
/** Of all its items, in characters: five times what 5,000 articles need. */
const MAX_INDEX_LENGTH = 16 * 1024 * 1024;
const RETRY_SECONDS = 30;
/** Longer than any title or description; more tags and sections than any page shows. */
const MAX_LINE = 300;
const MAX_TAGS = 16;
const MAX_TOC = 200;
const MAX_RELATED = 10;

export type RemoteOptions = {
  /** `CONTENT_URL`, without a trailing slash. */
  readonly host: string;
  readonly log: Pick<Log, "warn">;
  /** Real time in milliseconds. */
  readonly now?: () => number;
  /** The date, by which articles are published. */
  readonly date?: () => Date;
  readonly timeoutMs?: number;
  readonly indexTimeoutMs?: number;
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
  const { host, log, now = () => performance.now(), date = () => new Date(), timeoutMs = TIMEOUT_MS } = options;
  const { indexTimeoutMs = INDEX_TIMEOUT_MS, maxBytes = MAX_BYTES, sanitise = openSanitiser() } = options;
  const fetchBounded = boundedFetch(maxBytes);
  const answers = answerCache({ max: MAX_KEPT, maxLength: MAX_KEPT_LENGTH });
  const misses = answerCache({ max: MAX_MISSES, maxLength: MAX_KEPT_LENGTH });
  const indexes = new Map<string, CachedAnswer<ArticleIndex>>();
  const timing = { freshMs: FRESH_MS, retryMs: RETRY_MS, log, now };
  let downUntil = Number.NEGATIVE_INFINITY;

  /** Null for a 404. */
  const fetchText = async (path: string, whole?: AbortSignal): Promise<string | null> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const signal = whole === undefined ? timeout : AbortSignal.any([timeout, whole]);
      const answer = await fetchBounded(host + path, { headers: { accept: "application/json" }, signal });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return null;
      }
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      return await answer.text();
    } catch (error) {
      // No connection, or one that was lost: every other question would wait for as long.
      if (timeout.aborted || error instanceof TypeError) downUntil = now() + RETRY_MS;
      throw error;
    }
  };

  const fetchAnswer = async <Answer>(
    path: string,
    read: (body: unknown, length: number) => Promise<Answer> | Answer,
    whole?: AbortSignal,
  ): Promise<Answer | null> => {
    if (now() < downUntil) throw unavailable();
    try {
      const text = await fetchText(path, whole);
      return text === null ? null : await read(JSON.parse(text, readable), text.length);
    } catch (error) {
      log.warn({ err: error, path }, "the articles of CONTENT_URL can't be read");
      throw unavailable();
    }
  };

  const ask = async <Answer>(
    path: string,
    read: (body: unknown) => Promise<Answer> | Answer,
  ): Promise<Answer | null> => {
    const known = (answers.get(path) ?? misses.get(path)) as CachedAnswer<Answer | null> | undefined;
    if (known !== undefined) return known.get();
    const answer: CachedAnswer<Answer | null> = keepFresh(async () => {
      const made = await fetchAnswer(path, read);
      if (made !== null) {
        misses.delete(path);
        answers.set(path, answer, JSON.stringify(made)?.length ?? 0);
      }
      return made;
    }, timing);
    misses.set(path, answer, 0);
    return answer.get();
  };

  const readIndex = async ({ section, locale }: Source): Promise<ArticleIndex> => {
    const items = new Map<string, ArticleItem>();
    let read = 0;
    const whole = AbortSignal.timeout(indexTimeoutMs);
    let length = 0;
    const readPart = (body: unknown, partLength: number) => {
      length += partLength;
      if (length > MAX_INDEX_LENGTH) throw new Error(`the list is longer than ${MAX_INDEX_LENGTH} characters`);
      return z.parse(articleListSchema, body);
    };
    for (let offset = 0; ; offset += PART) {
      const query = new URLSearchParams({ offset: String(offset), per_page: String(PART) });
      const path = `/content/${section}/${locale}?${query.toString()}`;
      const part = await fetchAnswer(path, readPart, whole);
      if (part === null) return { items: [...items.values()], categories: [] };
      for (const item of part.items) if (!items.has(item.slug)) items.set(item.slug, boundedItem(item));
      read += part.items.length;
      const isLast = part.items.length === 0 || read >= Math.min(part.total, MAX_LISTED);
      if (isLast) return { items: [...items.values()], categories: part.categories };
    }
  };

  /** All articles of a section in a language: what is no part of it needs no question to the host. */
  const indexOf = (source: Source): Promise<ArticleIndex> => {
    const key = `${source.section}/${source.locale}`;
    const index = indexes.get(key) ?? keepFresh(() => readIndex(source), timing);
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

  const isPublished = ({ publishedAt }: ArticleItem): boolean =>
    publishedAt <= date().toISOString().slice(0, "2026-01-01".length);

  return {
    async list(source, part) {
      const { items, categories } = await indexOf(source);
      return listOf({ items: items.filter(isPublished), categories }, part);
    },
    async find(source, slug) {
      const path = `/content/${source.section}/${source.locale}?${new URLSearchParams({ slug }).toString()}`;
      if (!answers.has(path) && !(await mayHave(source, slug))) return null;
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
      if (answer === null || !isPublished(answer.article)) return null;
      return { ...answer, related: answer.related.filter(isPublished) };
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
  if (key === "html" || key === "index") return text;
  return text
    .slice(0, MAX_LINE)
    .toWellFormed()
    .replace(/[\t\n\r\u2028\u2029]+/g, " ")
    .replace(UNSEEN, "");
};
const UNSEEN = /[\p{Cc}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFFE\uFFFF]/gu;

/** Its picture is a file of the other host. */
const boundedItem = <Item extends ArticleItem>(item: Item): Item => ({
  ...item,
  cover: null,
  tags: item.tags.slice(0, MAX_TAGS),
});

async function sanitised(answer: ArticleAnswer, sanitise: Sanitise): Promise<ArticleAnswer> {
  // As of the ids in the text, none can be one of the app's.
  const toc = answer.article.toc.filter(({ id }) => id.startsWith("section-")).slice(0, MAX_TOC);
  const article = boundedItem({ ...answer.article, toc, html: await sanitise(answer.article.html) });
  return { ...answer, article, related: answer.related.slice(0, MAX_RELATED).map(boundedItem) };
}
