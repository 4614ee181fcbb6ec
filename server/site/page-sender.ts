import { splitLocale } from "#contract/locale.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { SANDBOX_TOKEN_META } from "#contract/headers.ts";
import {
  DEFAULT_SITE_SETTINGS,
  type EntryServer,
  isEmbed,
  type Rendered,
  type SiteSettings,
} from "#contract/site/ssr.ts";
import { pathOf } from "../http/request-path.ts";
import { clientAddress, clientKey, clientNetwork } from "../http/security/client-names.ts";
import { cameraPagePolicy } from "../http/security/security-headers.ts";
import { compress, encodingFor, send, sendCompressed, type Compressed } from "../http/compress.ts";
import { boundedCalls, boundedLocation } from "./page-bounds.ts";
import { busyPage, fillTemplate, PLAIN_ERROR_PAGE } from "./page.ts";
import { BusyError, createRenderQueue } from "../base/concurrency/render-queue.ts";
import type { Renderer } from "./renderer.ts";
import { createSharedPages } from "./shared-pages.ts";

export type PageOptions = {
  readonly config: { readonly publicUrl: string; readonly sandbox: boolean; readonly production: boolean };
  readonly settings?: SiteSettings;
  /** The business clock: ages on a page count from it. */
  readonly clock: { now(): Date };
  /** What a page needs to use the sandbox; null for a request that may not. */
  readonly sandboxTokenFor?: (request: FastifyRequest) => string | null;
  /** Whether the request belongs to a live session, expired tokens included (contract §4). */
  readonly isSignedIn?: (request: FastifyRequest) => Promise<boolean>;
  /** Where the card provider's check of a customer is: the pages that show it may frame it. Null without a provider. */
  readonly cardProviderOrigin?: string | null;
  /** Whether the articles are read from another host, for which pages may have to wait. */
  readonly hasRemoteArticles?: boolean;
  /** Serves from source through Vite instead of the build. */
  readonly isDev?: boolean;
};

const SECRET_HEADERS = new Set(["authorization", "cookie", "proxy-authorization"]);
const RETRY_AFTER_SECONDS = 30;
const BUSY_RETRY_SECONDS = 3;
/** For so long a page waits for its data. */
const LOAD_MS = 10_000;
/** Not the phones of the brand Cubot. */
const CRAWLER = /(?<!cu)bot\b|crawl|spider|slurp|bingpreview|facebookexternalhit/i;

/** Answers a request with its page and the true status: rendered in its turn, or shared with whoever asked for the same one. */
export function createPageSender(
  app: FastifyInstance,
  renderer: Renderer,
  {
    config,
    clock,
    settings = DEFAULT_SITE_SETTINGS,
    sandboxTokenFor = () => null,
    isSignedIn,
    isDev = false,
    hasRemoteArticles = false,
    cardProviderOrigin = null,
  }: PageOptions,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const queue = createRenderQueue();
  // Places of their own: a host that doesn't answer holds up none of the other pages.
  const articleQueue = hasRemoteArticles ? createRenderQueue() : queue;
  const shared = createSharedPages();
  const written = new WeakMap<Rendered, Map<string, Promise<Compressed>>>();

  /** A shared page is filled in and compressed once for all who accept the same encoding. */
  const write = (rendered: Rendered, form: string, make: () => Promise<Compressed>): Promise<Compressed> => {
    const forms = written.get(rendered) ?? new Map<string, Promise<Compressed>>();
    written.set(rendered, forms);
    const known = forms.get(form) ?? make();
    forms.set(form, known);
    return known;
  };

  const findPage = async (
    entry: EntryServer,
    request: FastifyRequest,
    { hasSession, left }: { hasSession: boolean; left: AbortSignal },
  ): Promise<Rendered> => {
    const requestHeaders = config.production ? null : withoutSecrets(request.headers);
    const isStatusOnly = request.method === "HEAD";
    const places = hasArticles(pathOf(request)) ? articleQueue : queue;
    const render = (allLeft: AbortSignal) =>
      places.run(
        { address: clientKey(request), network: clientNetwork(request) },
        () =>
          entry.render({
            url: request.url,
            origin: config.publicUrl,
            now: clock.now().toISOString(),
            isSandbox: config.sandbox,
            settings,
            requestHeaders,
            api: boundedCalls(
              app.callInProcess(clientAddress(request)),
              AbortSignal.any([allLeft, AbortSignal.timeout(LOAD_MS)]),
              request.id,
            ),
            isSignedIn: hasSession,
            ...(isStatusOnly && { isStatusOnly }),
          }),
        allLeft,
      );
    // Nothing else that a page is made of differs between two requests: of a session only that there is one, and the nonce is in the
    // policy alone.
    const key = JSON.stringify([request.url, isStatusOnly, requestHeaders, hasSession]);
    const isShared = !isDev && !isPrivate(pathOf(request));
    if (!isShared || !shared.has(key)) await app.countPage(request);
    return isShared ? shared.find(key, render, left) : render(left);
  };

  return async (request, reply) => {
    const left = leavingOf(reply);
    try {
      const hasSession = !isEmbed(request.url) && ((await isSignedIn?.(request)) ?? false);
      const caching = isPrivate(pathOf(request)) ? "no-store" : hasSession ? "private, no-cache" : "no-cache";
      reply.header("cache-control", caching);
      const { template, entry, linksFor, policyOf } = await renderer.load(request.url);
      const rendered = await findPage(entry, request, { hasSession, left });
      const frames = cardProviderOrigin !== null && hasProviderFrame(pathOf(request)) ? [cardProviderOrigin] : [];
      reply.header("content-security-policy", policyOf(request, frames));
      if (usesCamera(pathOf(request))) reply.header("permissions-policy", cameraPagePolicy(frames));
      if (rendered.cookies.length > 0) reply.header("set-cookie", [...rendered.cookies]);
      if (rendered.redirect !== undefined)
        return await reply.redirect(boundedLocation(rendered.redirect), rendered.status);
      if ("failure" in rendered && !left.aborted)
        request.log[rendered.status === 503 ? "warn" : "error"](
          { err: rendered.failure },
          "a page's data can't be loaded",
        );
      reply.code(rendered.status);
      if (rendered.status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
      if (request.method === "HEAD") return await reply.type(HTML).send();
      // A crawler gets an error's status alone (spec §2).
      if (rendered.isErrorPage && isCrawler(request)) return await sendHtml(request, reply, "");
      const encoding = encodingFor(request);
      const token = sandboxTokenTag(sandboxTokenFor(request));
      const page = await write(rendered, encoding + token, () =>
        compress(fillTemplate(template, rendered, linksFor(rendered.preload, rendered.styles) + token), encoding),
      );
      return await send(reply.type(HTML), page);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) {
        const { status, retryAfterSeconds } = refusal;
        reply.code(status).header("retry-after", retryAfterSeconds);
        return sendHtml(request, reply, isCrawler(request) ? "" : busyPage(status, retryAfterSeconds));
      }
      request.log.error({ err: error }, "a page can't be rendered");
      return sendHtml(request, reply.code(500), isCrawler(request) ? "" : PLAIN_ERROR_PAGE);
    }
  };
}

/** Too many pages of this client, or of all of them together; null for every other failure. */
function refusalOf(error: unknown): { status: 429 | 503; retryAfterSeconds: number } | null {
  if (error instanceof BusyError) return { status: 503, retryAfterSeconds: BUSY_RETRY_SECONDS };
  if (!(error instanceof CodedError) || error.httpStatus !== 429) return null;
  return { status: 429, retryAfterSeconds: error.retryAfterSeconds ?? BUSY_RETRY_SECONDS };
}

const sandboxTokenTag = (token: string | null): string =>
  token === null ? "" : `<meta name="${SANDBOX_TOKEN_META}" content="${token}">`;

/** Pages that read QR codes, and the one that photographs documents. */
const usesCamera = (path: string): boolean =>
  /^\/(?:exchange-|order\/|profile\/verification(?:\/|$))/.test(splitLocale(path).path);

/** Where an order by card is made: the provider's check of its customer is in a frame there, and uses the camera. */
const hasProviderFrame = (path: string): boolean => splitLocale(path).path.startsWith("/exchange-");

/** An order's address opens the order: its page is never stored, and shows the order as it is now. So are the account's pages. */
const isPrivate = (path: string): boolean => /^\/(?:order\/|profile(?:\/|$)|lk(?:\/|$))/.test(splitLocale(path).path);

/** Pages of articles, for which another host may be asked. */
const hasArticles = (path: string): boolean => /^\/(?:blog|docs)(?:\/|$)/.test(splitLocale(path).path);

/** Aborted when the client ends the connection before it has its answer. */
function leavingOf(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) left.abort();
  });
  return left.signal;
}

/** Headers that an error page may show: without credentials. */
const withoutSecrets = (headers: FastifyRequest["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  );

const isCrawler = (request: FastifyRequest): boolean => CRAWLER.test(request.headers["user-agent"] ?? "");

const HTML = "text/html; charset=utf-8";

const sendHtml = (request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> =>
  sendCompressed(request, reply.type(HTML), html);
