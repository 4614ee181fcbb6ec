import cookie, { type CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { calls } from "#contract/calls.ts";
import type { SessionCookies } from "../base/routes.ts";

export const ACCESS_COOKIE = "access";
const REFRESH_COOKIE = "refresh";
const BROWSER_COOKIE = "browser";
const DAY_SECONDS = 86_400;
/** Longer than the token inside, so that an expired one is seen and answered with 418 (contract §4). */
const SESSION_DAYS = 30;
const BROWSER_DAYS = 365;

declare module "fastify" {
  interface FastifyInstance {
    /** Whether cookies are sent over TLS alone: everywhere but on this machine. */
    hasSecureCookies: boolean;
  }
}

/** Reads the cookies of requests, and lets answers set them. */
export async function addCookies(app: FastifyInstance, publicUrl: string): Promise<void> {
  app.decorate("hasSecureCookies", !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(publicUrl).hostname));
  await app.register(cookie);
}

/** The session's cookies of one call: HttpOnly, SameSite=Lax, Secure but on localhost. */
export function sessionCookies({ cookies, server }: FastifyRequest, reply: FastifyReply): SessionCookies {
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
