import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isEmbed } from "#contract/site/ssr.ts";
import { pathOf } from "../request-path.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Names the inline scripts of this answer, for the Content-Security-Policy; made when it is first asked for. */
    readonly cspNonce: string;
  }
}

/** Who may show our pages in a frame: Telegram's web clients, and nobody else. X-Frame-Options has no such list and is left out. */
const FRAME_ANCESTORS = "frame-ancestors https://web.telegram.org";
/** Of the widget, which has no session and whose every press is worth nothing to whoever frames it (contract §14). */
const ANYWHERE = "frame-ancestors *";
/** The script that makes its frame. */
const LOADER = "/embed.js";

const CLOSED = ["accelerometer", "geolocation", "gyroscope", "magnetometer", "microphone", "payment", "usb"] as const;

const featurePolicy = (camera: string): string =>
  [...CLOSED.map((feature) => `${feature}=()`), `camera=${camera}`].join(", ");

/** The Permissions-Policy of a page that uses the camera, which is open there and nowhere else; so it is to the frames of these origins. */
export const cameraPagePolicy = (frames: readonly string[]): string =>
  featurePolicy(`(${["self", ...frames.map((origin) => `"${origin}"`)].join(" ")})`);

const EVERYWHERE = {
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
  // An order's link contains half of what opens it.
  "referrer-policy": "same-origin",
  // A sign-in popup has to reach its opener.
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": featurePolicy("()"),
};

const DATA_POLICY = `default-src 'none'; base-uri 'none'; form-action 'none'; ${FRAME_ANCESTORS}`;

/** What our pages may load. `connect` lists origins beyond our own that scripts may call, `frames` those whose pages may be in frames. */
export type PagePolicy = {
  nonce: string;
  /** Any site may show it in a frame: the widget, and nothing else. */
  isFramedAnywhere?: boolean;
  scriptHashes?: readonly string[];
  connect?: readonly string[];
  frames?: readonly string[];
};

/** The Content-Security-Policy of a page; inline scripts need its nonce or a hash. WebAssembly reads QR codes where the browser can't. */
export const pagePolicy = ({
  nonce,
  isFramedAnywhere = false,
  scriptHashes = [],
  connect = [],
  frames = [],
}: PagePolicy): string =>
  [
    "default-src 'self'",
    `script-src ${["'self'", "'wasm-unsafe-eval'", `'nonce-${nonce}'`, ...scriptHashes.map((hash) => `'${hash}'`)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(" ")}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    // The widget's own page shows it; of our pages it is the only one that a frame can have.
    `frame-src ${["'self'", ...frames].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    isFramedAnywhere ? ANYWHERE : FRAME_ANCESTORS,
  ].join("; ");

const isDataPath = (path: string): boolean => /^\/(?:api|dict|sandbox)(?:\/|$)/.test(path);

/** Those of an answer to bytes that never became a request; it is always data. */
export const unreadRequestHeaders: Readonly<Record<string, string>> = {
  ...EVERYWHERE,
  "content-security-policy": DATA_POLICY,
  "cache-control": "no-store",
};

/** Sets the security headers of every answer, errors included; a page may replace its policy by a `pagePolicy` of its own. */
export function addSecurityHeaders(app: FastifyInstance, connect: readonly string[]): void {
  const nonces = new WeakMap<FastifyRequest, string>();
  app.decorateRequest("cspNonce", {
    getter() {
      const nonce = nonces.get(this) ?? randomBytes(16).toString("base64");
      nonces.set(this, nonce);
      return nonce;
    },
  });
  app.addHook("onRequest", (request, reply, done) => {
    const path = pathOf(request);
    if (isDataPath(path)) reply.headers(unreadRequestHeaders);
    else {
      const isFramedAnywhere = isEmbed(request.url);
      const policy = pagePolicy({ nonce: request.cspNonce, isFramedAnywhere, connect });
      reply.headers(EVERYWHERE).header("content-security-policy", policy);
    }
    if (path === LOADER || isEmbed(request.url)) reply.header("cross-origin-resource-policy", "cross-origin");
    done();
  });
}
