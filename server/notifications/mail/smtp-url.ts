import { isIP } from "node:net";
import { emailSchema } from "#contract/order.ts";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i;
const SUBMISSION_PORT = 587;
const TLS_PORT = 465;

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** STARTTLS, or nothing is sent. */
  requireTLS: boolean;
  ignoreTLS: boolean;
  auth: { user: string; pass: string } | null;
  from: string;
};

/**
 * Reads SMTP_URL (contract §6): `smtp://user:password@host:587?from=exchange@example.org`, `smtps://` for TLS from the start.
 * A password leaves this machine only over TLS. Throws for a `from` that is no address; no message repeats the URL.
 */
export function readSmtpUrl(text: string, publicUrl: string): SmtpServer {
  const url = new URL(text);
  const secure = url.protocol === "smtps:";
  const isLocal = LOOPBACK.test(url.hostname);
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTLS: !secure && !isLocal && user !== "",
    ignoreTLS: !secure && isLocal,
    auth: user === "" ? null : { user, pass: decodeURIComponent(url.password) },
    from: senderOf(url, user, publicUrl),
  };
}

function senderOf(url: URL, user: string, publicUrl: string): string {
  const given = url.searchParams.get("from");
  if (given !== null) {
    if (!emailSchema.safeParse(given).success) throw new Error("SMTP_URL: from must be an email address");
    return given;
  }
  if (emailSchema.safeParse(user).success) return user;
  const { hostname } = new URL(publicUrl);
  const bare = hostname.replace(/^\[|\]$/g, "");
  return `no-reply@${isIP(bare) === 0 ? bare : "localhost"}`;
}
