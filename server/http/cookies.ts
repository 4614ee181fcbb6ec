import { DAY_SECONDS } from "#contract/durations.ts";
import cookie, { type CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { calls } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import type { SessionCookies } from "../base/routes.ts";

export const ACCESS_COOKIE = "access";
export const REFRESH_COOKIE = "refresh";
const BROWSER_COOKIE = "browser";
/** Longer than the token inside, so that an expired one is seen and answered with 418 (contract §4). */
const SESSION_DAYS = 30;
const BROWSER_DAYS = 365;

declare module "fastify" {
  interface FastifyInstance {
    /** Whether cookies are sent over TLS alone: everywhere but on this machine. */
    hasSecureCookies: boolean;
  }
}

/** Decides for all cookies whether they are sent over TLS alone. */
export function decideCookieSecurity(app: FastifyInstance, publicUrl: string): void {
  app.decorate("hasSecureCookies", !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(publicUrl).hostname));
}

const SESSION_COOKIES = new Set([ACCESS_COOKIE, REFRESH_COOKIE, BROWSER_COOKIE]);

/** A sub-domain can set a second cookie of a name, which would put a person into somebody else's account: neither counts. */
function hasTwoSessions(cookies: string | undefined): boolean {
  const own = pairsOf(cookies).filter(({ name }) => SESSION_COOKIES.has(name));
  return new Set(own.map(({ name }) => name)).size < own.length;
}

/** The token of the session that a request's cookies name, for what has no `withCookies`: null without one, and with two. */
export const accessTokenOf = (cookies: string | undefined): string | null =>
  hasTwoSessions(cookies) ? null : given(pairsOf(cookies).find(({ name }) => name === ACCESS_COOKIE)?.value);

/** The cookies of a request's header, in its order. */
const pairsOf = (cookies = ""): { name: string; value: string }[] =>
  cookies.split(";").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return { name: name.trim(), value: value.join("=").trim() };
  });

const twoSessions = () => new CodedError("ERR_BAD_REQUEST", "The request has two cookies of one name");

/**
 * Gives the routes that `add` adds cookies to read and to set. Only they have them: the plugin's hooks at every answer took a tenth of
 * the rates' throughput, 30,400 to 34,800 a second (medians of three).
 */
export function withCookies(app: FastifyInstance, add: (scope: FastifyInstance) => Promise<void>): void {
  void app.register(async (scope) => {
    await scope.register(cookie);
    scope.addHook("onRequest", ({ headers }, _reply, done) =>
      done(hasTwoSessions(headers.cookie) ? twoSessions() : undefined),
    );
    await add(scope);
  });
}

/** The session's cookies of one call, none outside `withCookies`: HttpOnly, SameSite=Lax, Secure but on localhost. */
export function sessionCookies(
  { cookies = {}, server }: Pick<FastifyRequest, "server"> & { readonly cookies?: FastifyRequest["cookies"] },
  reply: FastifyReply,
): SessionCookies {
  const options = (path: string, days: number): CookieSerializeOptions => ({
    path,
    httpOnly: true,
    sameSite: "lax",
    secure: server.hasSecureCookies,
    maxAge: days * DAY_SECONDS,
  });
  return {
    refresh: given(cookies[REFRESH_COOKIE]),
    browser: given(cookies[BROWSER_COOKIE]),
    set: ({ access, refresh }) => {
      reply.setCookie(ACCESS_COOKIE, access, options("/", SESSION_DAYS));
      reply.setCookie(REFRESH_COOKIE, refresh, options(calls.refresh.path, SESSION_DAYS));
    },
    setBrowser: (token) => {
      reply.setCookie(BROWSER_COOKIE, token, options(calls.authenticateLocal.path, BROWSER_DAYS));
    },
    clear: () => {
      reply.clearCookie(ACCESS_COOKIE, options("/", 0));
      reply.clearCookie(REFRESH_COOKIE, options(calls.refresh.path, 0));
    },
  };
}

const MAX_LENGTH = 512;
const given = (value: string | undefined): string | null =>
  value === undefined || value === "" || value.length > MAX_LENGTH ? null : value;
