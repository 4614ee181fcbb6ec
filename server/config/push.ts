import { createECDH } from "node:crypto";
import { z } from "zod";
import { ConfigError } from "../base/processes/startup-error.ts";
import { origin, type Process, type Values } from "./values.ts";

/** The push services of today's browsers; a name includes its subdomains. */
const KNOWN_SERVICES = [
  "fcm.googleapis.com",
  "jmt17.google.com",
  "updates.push.services.mozilla.com",
  "push.apple.com",
  "notify.windows.com",
].join(",");
const SANDBOX_SUBJECT = "mailto:sandbox@wherry.example";

const HOST_NAMES = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(\s*,\s*[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)*$/;

export const pushVariables = {
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^B[A-Za-z0-9_-]{86}$/, "must be the 65 bytes of an uncompressed P-256 point in base64url")
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, "must be the 32 bytes of a P-256 key in base64url")
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto: and an address, or a URL with https")
    .optional(),
  PUSH_SERVICES: z
    .string()
    .default(KNOWN_SERVICES)
    .refine((text) => HOST_NAMES.test(text), "must be host names with commas between them")
    .transform((text) => text.split(",").map((name) => name.trim())),
  SANDBOX_PUSH_SERVICE: origin().optional(),
};

export const pushSecrets = ["VAPID_PRIVATE_KEY"] as const;

export type PushConfig = Readonly<{
  /** `privateKey` is null in a process without the worker role; null: made at the sandbox's first start. */
  keys: Readonly<{ publicKey: string; privateKey: string | null }> | null;
  /** Where a push service can reach the operator (RFC 8292). */
  subject: string;
  /** The only hosts that push messages are sent to. */
  services: readonly string[];
  /** One more origin, also a private one; only in the sandbox. */
  sandboxService: string | null;
}>;

/** Null where web push is off. */
export function pushConfig(value: Values<typeof pushVariables>, { sandbox, worker }: Process): PushConfig | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = value;
  const sandboxService = sandbox ? (value.SANDBOX_PUSH_SERVICE ?? null) : null;
  const rest = { services: Object.freeze(value.PUSH_SERVICES), sandboxService };
  if (publicKey === undefined) {
    if ((privateKey ?? subject) !== undefined)
      throw new ConfigError("VAPID_PRIVATE_KEY and VAPID_SUBJECT need VAPID_PUBLIC_KEY");
    return sandbox ? Object.freeze({ keys: null, subject: SANDBOX_SUBJECT, ...rest }) : null;
  }
  if (worker && (privateKey ?? null) === null)
    throw new ConfigError("VAPID_PUBLIC_KEY needs VAPID_PRIVATE_KEY where the worker runs");
  if (worker && subject === undefined)
    throw new ConfigError("VAPID_PUBLIC_KEY needs VAPID_SUBJECT where the worker runs");
  if (privateKey !== undefined && publicKeyOf(privateKey) !== publicKey)
    throw new ConfigError("VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must belong together");
  const keys = Object.freeze({ publicKey, privateKey: privateKey ?? null });
  return Object.freeze({ keys, subject: subject ?? SANDBOX_SUBJECT, ...rest });
}

/** Null for a number that is no key of the curve. */
function publicKeyOf(privateKey: string): string | null {
  const pair = createECDH("prime256v1");
  try {
    pair.setPrivateKey(privateKey, "base64url");
  } catch {
    return null;
  }
  return pair.getPublicKey("base64url");
}
