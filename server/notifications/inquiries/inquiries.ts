import { setTimeout as delay } from "node:timers/promises";
import { CodedError } from "#contract/errors.ts";
import type { AuthorityBody, ContactBody } from "#contract/site/inquiries.ts";
import { createTurns } from "../../base/concurrency/turns.ts";
import type { Log } from "../../base/logging/log.ts";
import type { Database } from "../../db/database.ts";
import { type CheckedFile, checkFile, FileError } from "./file.ts";
import { writeAuthorityMail, writeContactMail } from "./mail.ts";
import {
  abandonInquiry,
  beginInquiry,
  type Inquiry,
  type InquiryClient,
  type InquiryMail,
  pruneInquiries,
  queueInquiry,
  resultOf,
} from "./store.ts";

/** Messages to the operator. Failures are CodedError: ERR_SERVICE_UNAVAILABLE with `data.delivery` "failed" or "unknown" where the mail did not go. */
export type Inquiries = {
  contact(client: InquiryClient, body: ContactBody): Promise<{ reference: string }>;
  /** `read` reads the form and its file, once the client may send one. ERR_VALIDATION `{ file: FileProblem }`. */
  authority(client: InquiryClient, read: () => Promise<AuthorityBody>): Promise<{ reference: string }>;
  prune(): Promise<void>;
};

export type InquiriesParts = {
  database: Database;
  /** Null: nobody reads them. */
  operatorEmail: string | null;
  /** Called when a message waits for a worker. */
  onQueued: () => void;
  log: Pick<Log, "warn">;
  /** How long a worker has to send it. */
  waitMs?: number;
};

/** Longer than one mail may take. */
const WAIT_MS = 40_000;
const LOOK_EVERY_MS = 250;
/** Each waits for a mail server or a file; one client has one, and so has one network, so that nobody keeps the others out. */
const TURNS = { atATime: 8, waitMs: 15_000 };

export function createInquiries(parts: InquiriesParts): Inquiries {
  const { database, operatorEmail, onQueued, log, waitMs = WAIT_MS } = parts;
  // One form's files and mails keep nobody out of the other.
  const [inContactTurn, inAuthorityTurn] = [createTurns(TURNS), createTurns(TURNS)];

  const send = async (inquiry: Inquiry, mail: InquiryMail, file: CheckedFile | null) => {
    await queueInquiry(database, inquiry, mail, file?.bytes ?? null);
    onQueued();
    const until = performance.now() + waitMs;
    let result = await resultOf(database, inquiry);
    while (result === null && performance.now() < until) {
      await delay(LOOK_EVERY_MS);
      result = await resultOf(database, inquiry);
    }
    result ??= await abandonInquiry(database, inquiry);
    if (result === "sent") return { reference: inquiry.reference };
    log.warn({ reference: inquiry.reference, result }, "a message to the operator was not mailed");
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "The message could not be mailed", { data: { delivery: result } });
  };

  const recipient = (): string => {
    if (operatorEmail !== null) return operatorEmail;
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Nobody reads messages here", { data: { delivery: "failed" } });
  };

  return {
    contact: (client, body) =>
      inContactTurn(turnOf(client), async () => {
        const to = recipient();
        const inquiry = await beginInquiry(database, "contact", client);
        return send(inquiry, writeContactMail(to, inquiry.reference, body), null);
      }),
    authority: (client, read) =>
      inAuthorityTurn(turnOf(client), async () => {
        const to = recipient();
        const inquiry = await beginInquiry(database, "authority", client);
        const body = await read();
        const file = await checked(body.file);
        return send(inquiry, writeAuthorityMail(to, inquiry.reference, body, file), file);
      }),
    prune: () => pruneInquiries(database),
  };
}

const turnOf = ({ key, network }: InquiryClient): string => network ?? key;

async function checked(file: File): Promise<CheckedFile> {
  try {
    return await checkFile(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new CodedError("ERR_VALIDATION", "The file can't be used", { data: { file: error.problem }, cause: error });
  }
}
