import type { FastifyRequest } from "fastify";

/** What proxies, load balancers and CDNs add to a call. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|(?:x-)?(?:real|client|cluster-client|proxyuser|true-client)-?ip|true-client-ip|ali-cdn-.*|(?:x-)?(?:forwarded|original|envoy|azure|arr|amzn|amz-cf|appengine|akamai|fastly|fly|cf|vercel|nf)(?:-.*)?)$/;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Tells whether a request comes from this machine itself, and not through a proxy that runs on it. */
export type IsDirect = (request: Pick<FastifyRequest, "headers" | "host" | "socket">) => boolean;

export function createIsDirect(publicUrl: string): IsDirect {
  const ownHost = new URL(publicUrl).host;
  // A name that was made to lead to this machine is another site's: browsers let its pages read what they ask for there.
  return ({ headers, host, socket }) =>
    LOOPBACK.test(socket.remoteAddress ?? "") &&
    (LOOPBACK_HOST.test(host) || host === ownHost) &&
    !Object.keys(headers).some((name) => FORWARDING.test(name));
}
