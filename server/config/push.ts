import { createECDH } from "node:crypto";
import { z } from "zod";
import { origin } from "./values.ts";

/** Of the browsers that there are; a name stands for its subdomains too. */
const KNOWN_SERVICES = [
  "fcm.googleapis.com",
  "jmt17.google.com",
  "updates.push.services.mozilla.com",
  "push.apple.com",
  "notify.windows.com",
].join(",");
const SANDBOX_SUBJECT = "mailto:sandbox@wherry.example";

/** Signs push messages: for workers alone. */
export const VAPID_KEY = "VAPID_PRIVATE_KEY";

const HOST_NAMES = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(\s*,\s*[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)*$/;

export const pushVariables = {
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^B[A-Za-z0-9_-]{86}$/, "must be the 65 bytes of an uncompressed P-256 point in base64url")
    .optional(),
  [VAPID_KEY]: z
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

export type PushConfig = Readonly<{
  /** `privateKey` is null in a process without the worker role; null: made at the sandbox's first start. */
  keys: Readonly<{ publicKey: string; privateKey: string | null }> | null;
  /** Whom a push service may write to (RFC 8292). */
  subject: string;
  /** The only hosts that are sent to. */
  services: readonly string[];
  /** An origin that may be sent to beside them, whatever it is; only in the sandbox. */
  sandboxService: string | null;
}>;

type Given = z.output<z.ZodObject<typeof pushVariables>>;

/** What web push is run with, null when it is off, or what is wrong with the variables. */
export function pushOf(
  value: Given,
  { sandbox, worker }: { sandbox: boolean; worker: boolean },
): PushConfig | string | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = value;
  const sandboxService = sandbox ? (value.SANDBOX_PUSH_SERVICE ?? null) : null;
  const rest = { services: Object.freeze(value.PUSH_SERVICES), sandboxService };
  if (publicKey === undefined) {
    if ((privateKey ?? subject) !== undefined) return "VAPID_PRIVATE_KEY and VAPID_SUBJECT need VAPID_PUBLIC_KEY";
    return sandbox ? Object.freeze({ keys: null, subject: SANDBOX_SUBJECT, ...rest }) : null;
  }
  if (worker && (privateKey ?? null) === null) return "VAPID_PUBLIC_KEY needs VAPID_PRIVATE_KEY where the worker runs";
  if (worker && subject === undefined) return "VAPID_PUBLIC_KEY needs VAPID_SUBJECT where the worker runs";
  if (privateKey !== undefined && publicKeyOf(privateKey) !== publicKey)
    return "VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must belong together";
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
