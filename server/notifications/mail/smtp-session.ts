import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SmtpServer } from "./smtp-url.ts";

export type SmtpLimits = { connectMs: number; silenceMs: number; wholeMs: number };

export type Handover = { isTaken: true } | { isTaken: false; error: unknown; wasHandedOver: boolean };

/**
 * One connection for one mail; every wait has its end, and `signal` ends them all. `wasHandedOver` tells that the whole mail had been
 * given to the connection, so that the server may have taken it although no answer came.
 */
export async function handOver(
  server: SmtpServer,
  limits: SmtpLimits,
  mail: { to: string; message: Buffer },
  signal: AbortSignal,
): Promise<Handover> {
  const { from, auth, ...place } = server;
  const connection = new SMTPConnection({
    ...place,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
  });
  // It is read only once the server has asked for the mail itself.
  const body = Readable.from([mail.message]);
  const ended = endOf(connection, AbortSignal.any([signal, AbortSignal.timeout(limits.wholeMs)]));
  try {
    await Promise.race([ended.failure, talk(connection, auth, { from, to: [mail.to] }, body)]);
    return { isTaken: true };
  } catch (error) {
    return { isTaken: false, error, wasHandedOver: body.readableEnded };
  } finally {
    ended.release();
    connection.close();
  }
}

async function talk(
  connection: SMTPConnection,
  auth: SmtpServer["auth"],
  envelope: { from: string; to: string[] },
  body: Readable,
): Promise<void> {
  await answered((done) => connection.connect(done));
  if (auth !== null && connection.allowsAuth) await answered((done) => connection.login(auth, done));
  await answered((done) => connection.send(envelope, body, done));
}

function answered(ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => ask((error) => (error ? reject(error) : resolve())));
}

/** Rejects when the connection fails or the time is over. */
function endOf(connection: SMTPConnection, signal: AbortSignal) {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  connection.on("error", reject);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return { failure, release: () => signal.removeEventListener("abort", abort) };
}
