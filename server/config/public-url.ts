import { ConfigError } from "../base/processes/startup-error.ts";
import type { Config } from "./config.ts";

/** What stays on this machine, or has no certificates because it is encrypted by itself. */
const NEEDS_NO_TLS = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.+\.(?:localhost|onion))$/;

/**
 * Throws `ConfigError` outside the sandbox for a site without a public address, whose links in mails would lead to the reader's own
 * machine, or with one that sends session cookies and deposit addresses unencrypted. The admin CLI needs none.
 */
export function requirePublicUrl(config: Pick<Config, "sandbox" | "publicUrl" | "isPublicUrlSet">): void {
  if (config.sandbox) return;
  if (!config.isPublicUrlSet)
    throw new ConfigError(
      "PUBLIC_URL is needed outside the sandbox: the address of the site, such as https://example.org",
    );
  const { protocol, hostname } = new URL(config.publicUrl);
  if (protocol === "http:" && !NEEDS_NO_TLS.test(hostname))
    throw new ConfigError(
      "PUBLIC_URL must begin with https:// outside the sandbox: sessions and deposit addresses cross the network",
    );
}
