import { appendFileSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Log } from "./log.ts";
import { StartupError } from "../processes/startup-error.ts";

const MAX_TEXT = 300;
/** Anybody may have written it: cut, so that no line grows without an end. */
const text = z.string().transform((given) => given.slice(0, MAX_TEXT));
/** An address as limits count it: IPv4, or the /64 of an IPv6 client. */
const request = { client: text, route: text, traceId: text };
/** Equal events that were left out since the last line. */
const repeated = z.int().positive().optional();

/**
 * What the security log holds, and nothing else: a field that is not named here is not written.
 *
 * @internal Exported for its tests.
 */
export const securityEventSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("launch.refused"), ...request, repeated }),
  z.object({ event: z.literal("sign-in.refused"), ...request, repeated }),
  z.object({ event: z.literal("session.opened"), ...request, userId: text }),
  z.object({ event: z.literal("session.ended"), ...request, userId: text }),
  z.object({ event: z.literal("session.reused"), ...request, userId: text }),
  z.object({ event: z.literal("api_key.created"), ...request, userId: text }),
  z.object({ event: z.literal("api_key.changed"), ...request, userId: text }),
  z.object({ event: z.literal("api_key.deleted"), ...request, userId: text }),
  z.object({ event: z.literal("session.refused"), ...request, repeated }),
  z.object({ event: z.literal("limit.exceeded"), ...request, repeated }),
  z.object({ event: z.literal("call.forbidden"), ...request, repeated }),
  z.object({ event: z.literal("password.changed"), ...request, userId: text }),
  z.object({ event: z.literal("email.changed"), ...request, userId: text }),
  z.object({ event: z.literal("second-factor.changed"), ...request, userId: text, to: z.enum(["on", "off"]) }),
  z.object({ event: z.literal("telegram.changed"), ...request, userId: text, to: z.enum(["linked", "unlinked"]) }),
  z.object({ event: z.literal("monthly-payout.changed"), ...request, userId: text, to: z.enum(["on", "off"]) }),
  z.object({ event: z.literal("hold.began"), subject: text, reason: text }),
  z.object({ event: z.literal("hold.ended"), subject: text, reason: text }),
  z.object({
    event: z.literal("operator.action"),
    id: text,
    at: z.iso.datetime(),
    operator: text,
    action: text,
    subject: text,
    reason: text,
  }),
]);
export type SecurityEvent = z.input<typeof securityEventSchema>;

export type SecurityLog = {
  /** False where the line could not be written, which the other log says: a full disk must stop neither answers nor payments. */
  record(event: SecurityEvent): boolean;
};

/** Of the fields above; a change that a reader could trip over raises it. */
const SCHEMA_VERSION = 2;

/**
 * The log stream of security events: JSON lines marked `"stream":"security"`, written whatever the log level is, so that none is lost
 * by a quiet configuration. It names clients by their address, which the other log never does.
 *
 * @internal Exported for its tests.
 */
export const createSecurityLog = (write: (line: string) => void, log: Pick<Log, "error">): SecurityLog => ({
  record(event) {
    const time = new Date().toISOString();
    const line = { time, stream: "security", schema: SCHEMA_VERSION, ...securityEventSchema.parse(event) };
    try {
      write(`${JSON.stringify(line)}\n`);
      return true;
    } catch (error) {
      log.error({ err: error, event: event.event }, "a security event could not be written");
      return false;
    }
  },
});

/** Opens the file that SECURITY_LOG names, which only its owner may read, or standard output. Throws `StartupError`. */
export function openSecurityLog(file: string | null, log: Log): SecurityLog & { close(): Promise<void> } {
  if (file === null) {
    const toOutput = createSecurityLog((line) => void process.stdout.write(line), log);
    return { ...toOutput, close: async () => undefined };
  }
  const opened = openFile(file);
  return { ...createSecurityLog((line) => appendFileSync(opened, line), log), close: async () => closeSync(opened) };
}

/** One by one: Node's own `recursive` never ends where a folder can't have one, as in /proc, and no signal stops it. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!existsSync(folder)) throw error;
  }
}

function openFile(file: string): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw new StartupError(`SECURITY_LOG can't be opened: ${String(error)}`);
  }
}
