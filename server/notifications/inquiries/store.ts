import { HOUR_SECONDS } from "#contract/durations.ts";
import { sql } from "kysely";
import * as z from "zod";
import { LOCALES } from "#contract/locale.ts";
import { CodedError } from "#contract/errors.ts";
import { randomCode } from "../../base/mailed-code.ts";
import { sha256 } from "../../base/secrets.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction } from "../../db/transaction.ts";

/**
 * Messages an hour: of a client and of a network's clients together, those included that were refused at their form, and by each form of a
 * block of addresses and of everybody, so that nobody fills the operator's mailbox.
 */
const AN_HOUR = { client: 10, network: 40, block: 100, all: 500 };
/** Of a block's and of everybody's messages: the rest is for networks that have sent none for a day, so that busy ones close no form to them. */
const FOR_BUSY = 3 / 4;

/** A mail of somebody to the operator. */
const inquiryMailSchema = z.object({
  to: z.string(),
  replyTo: z.string(),
  locale: z.enum(LOCALES),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  file: z.nullable(z.object({ name: z.string(), type: z.string() })),
});
export type InquiryMail = z.infer<typeof inquiryMailSchema>;

export type InquiryForm = "contact" | "authority";
export type Inquiry = { readonly id: bigint; readonly reference: string };
export type QueuedInquiry = Inquiry & { readonly mail: InquiryMail; readonly file: Buffer | null };
/** Whoever sends one, as the limits name it. */
export type InquiryClient = {
  readonly key: string;
  readonly network?: string | undefined;
  readonly block?: string | undefined;
};
/** `unknown`: the mail server may or may not have taken it. */
export type InquiryResult = "sent" | "failed" | "unknown";

/** Counts a message before anything of it is read: until it is queued, for its sender alone. Throws 429 for one too many. */
export function beginInquiry(
  database: Database,
  form: InquiryForm,
  { key, network, block }: InquiryClient,
): Promise<Inquiry> {
  const code = randomCode(8);
  const reference = `${code.slice(0, 4)}-${code.slice(4)}`;
  const clientHash = sha256(key);
  const networkHash = network === undefined ? null : sha256(network);
  const blockHash = block === undefined ? null : sha256(block);
  return inTransaction(database, async (transaction) => {
    // Serialised, so that each counts those before it.
    await sql`select pg_advisory_xact_lock(hashtext('inquiries'))`.execute(transaction);
    const { rows } = await sql<{ id: bigint }>`
      insert into inquiries (reference, form, client_hash, network_hash, block_hash)
      select ${reference}, ${form}, ${clientHash}, ${networkHash}::bytea, ${blockHash}::bytea
      from (
        select case when exists (
          select from inquiries where created_at > now() - interval '1 day' and state not in ('begun', 'failed')
            and (network_hash = ${networkHash}::bytea or (network_hash is null and client_hash = ${clientHash}))
        ) then ${FOR_BUSY}::float else 1 end as share
      ) this
      where (select count(*) from inquiries where client_hash = ${clientHash}
          and created_at > now() - interval '1 hour') < ${AN_HOUR.client}
        and (select count(*) from inquiries where network_hash = ${networkHash}::bytea
          and created_at > now() - interval '1 hour') < ${AN_HOUR.network}
        and (select count(*) from inquiries where block_hash = ${blockHash}::bytea and form = ${form} and state <> 'begun'
          and created_at > now() - interval '1 hour') < ${AN_HOUR.block} * this.share
        and (select count(*) from inquiries where form = ${form} and state <> 'begun'
          and created_at > now() - interval '1 hour') < ${AN_HOUR.all} * this.share
      returning id`.execute(transaction);
    const [row] = rows;
    if (row !== undefined) return { id: row.id, reference };
    throw new CodedError("ERR_BAD_REQUEST", "Too many messages", { httpStatus: 429, retryAfterSeconds: HOUR_SECONDS });
  });
}

/** Hands the message to a worker. */
export async function queueInquiry(
  { kysely }: Database,
  { id }: Inquiry,
  mail: InquiryMail,
  file: Uint8Array | null,
): Promise<void> {
  await kysely
    .updateTable("inquiries")
    .set({ state: "pending", mail: JSON.stringify(mail), file: file && Buffer.from(file) })
    .where("id", "=", id)
    .execute();
}

/** Takes some messages that wait; each is tried once, because its sender waits for the result. */
export async function takeInquiries({ kysely }: Database, limit: number): Promise<QueuedInquiry[]> {
  const { rows } = await sql<{ id: bigint; reference: string; mail: unknown; file: Buffer | null }>`
    update inquiries set state = 'sending' where id in (
      select id from inquiries where state = 'pending' order by id limit ${limit} for update skip locked
    ) returning id, reference, mail, file`.execute(kysely);
  return rows.map((row) => ({ ...row, mail: inquiryMailSchema.parse(row.mail) }));
}

/** Stores the result, and deletes what the message says. */
export async function endInquiry({ kysely }: Database, { id }: Inquiry, result: InquiryResult): Promise<void> {
  await kysely
    .updateTable("inquiries")
    .set({ state: result, mail: null, file: null })
    .where("id", "=", id)
    .where("state", "in", ["pending", "sending"])
    .execute();
}

/** What became of it; null while it is on its way. */
export async function resultOf({ kysely }: Database, { id }: Inquiry): Promise<InquiryResult | null> {
  const row = await kysely.selectFrom("inquiries").select("state").where("id", "=", id).executeTakeFirst();
  const state = row?.state ?? "unknown";
  return state === "sent" || state === "failed" || state === "unknown" ? state : null;
}

/** Gives a message up that nobody has sent in time: one that no worker has taken is not sent any more. */
export async function abandonInquiry({ kysely }: Database, { id }: Inquiry): Promise<InquiryResult> {
  const { rows } = await sql<{ state: InquiryResult }>`
    update inquiries set state = case
        when state = 'pending' then 'failed' when state = 'sending' then 'unknown' else state end,
      mail = null, file = null
    where id = ${id}::bigint returning state`.execute(kysely);
  return rows[0]?.state ?? "unknown";
}

/** Deletes what is older than a day, and at once what a worker that died has left. */
export async function pruneInquiries({ kysely }: Database): Promise<void> {
  await sql`
    update inquiries set state = 'unknown', mail = null, file = null
    where state in ('pending', 'sending') and created_at < now() - interval '1 hour'`.execute(kysely);
  await sql`delete from inquiries where created_at < now() - interval '1 day'`.execute(kysely);
}
