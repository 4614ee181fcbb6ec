import { sql, type Kysely, type RawBuilder, type Transaction } from "kysely";
import * as z from "zod";
import type { Database } from "../../db/database.ts";
import { deleteSetting, readSetting, storeSetting } from "../../db/settings.ts";
import type { Schema } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { OperatorError, recordAction } from "../../admin/index.ts";
import type { KillSwitch, StopCause, Switches } from "../port.ts";

const REFUND_ONLY = "refund_only";
const REFUND_ONLY_SUBJECT = "service";
const UNKNOWN = "the chain shows payments that no row knows (npm run admin -- unknown-payments)";
const modeSchema = z.object({ reason: z.string() });

type Stopped = KillSwitch & { cause: StopCause };

/**
 * The kill switches of this database and its refund-only mode, cached in memory and read again by `refresh`. Paying
 * reads the database itself, because a signature can't be revoked.
 */
export function createSwitches(database: Database): Switches {
  let active: readonly Stopped[] = [];
  let held: ReadonlySet<string> = new Set();
  let mode: string | null = null;

  const read = (db: Kysely<Schema>): Promise<Stopped[]> =>
    db.selectFrom("kill_switches").select(["action", "scope", "direction", "reason", "cause"]).execute();

  const readMode = async (): Promise<string | null> => {
    const stored = await readSetting(database.kysely, REFUND_ONLY);
    return stored === undefined ? null : modeSchema.parse(stored).reason;
  };

  /** All with one statement: every process does it all the time. A network's calls may fail as long before it is down (engine law 18). */
  const refresh = async () => {
    const { rows } = await sql<{ stops: Stopped[]; mode: unknown; held: string[] }>`
      select (select coalesce(json_agg(json_build_object(
          'action', action, 'scope', scope, 'direction', direction, 'reason', reason, 'cause', cause)), '[]') from kill_switches) as stops,
        (select value from settings where key = ${REFUND_ONLY}) as mode,
        array(select network from followed_networks where held_since <= now() - interval '10 seconds') as held`.execute(
      database.kysely,
    );
    active = rows[0]?.stops ?? [];
    held = new Set(rows[0]?.held);
    mode = modeSchema.nullable().parse(rows[0]?.mode ?? null)?.reason ?? null;
  };

  return {
    refresh,
    isHeld: (network) => held.has(network),
    stopped: (action, instrument, direction) =>
      (action === "pay" ? null : mode) ?? reasonOf(active, action, instrument, direction),
    refundOnly: () => mode,
    refundOnlyNow: readMode,
    list: () => listStops(database.kysely),
    refundOnlyDecided: async () => {
      const reason = await readMode();
      if (reason === null) return null;
      const by = await lastModeChange(database.kysely);
      return { reason, since: by?.since ?? null, operator: by?.operator ?? null };
    },
    stoppedNow: async (action, instrument, direction, db: Kysely<Schema> = database.kysely) =>
      reasonOf(await read(db), action, instrument, direction) ??
      (action === "pay" && (await hasUnknownPayments(db, instrument.networkTitle)) ? UNKNOWN : null),
    async stop({ action, scope, direction, reason }, by) {
      await inTransaction(database, async (transaction) => {
        const before = (await stopsOf(transaction, { action, scope, direction })).get("operator")?.reason ?? null;
        // The release of whoever comes second would end what the first one stopped.
        const onConflict = by === undefined ? sql`update set reason = excluded.reason` : sql`nothing`;
        const { numAffectedRows } = await sql`
          insert into kill_switches (action, scope, direction, reason, at)
          values (${action}, ${scope}, ${direction}, ${reason}, now())
          on conflict (action, scope, direction, cause) do ${onConflict}`.execute(transaction);
        if (numAffectedRows === 0n) throw await alreadyStopped(transaction, { action, scope, direction });
        const subject = `${action} ${scope} ${direction}`;
        const change = { action: "stop", subject, before: { stopped: before }, after: { stopped: reason } };
        if (by !== undefined) await recordAction(transaction, by, change);
      });
      await refresh();
    },
    async release({ action, scope, direction }, by) {
      const released = await inTransaction(database, async (transaction) => {
        const stops = await stopsOf(transaction, { action, scope, direction });
        const cause = RELEASED_IN_TURN.find((one) => stops.has(one));
        const released = cause === undefined ? undefined : stops.get(cause);
        if (cause === undefined || released === undefined) return false;
        if (cause === "reconciler") requireNothingMissing(scope, released.missing);
        await transaction
          .deleteFrom("kill_switches")
          .where("action", "=", action)
          .where("scope", "=", scope)
          .where("direction", "=", direction)
          .where("cause", "=", cause)
          .execute();
        const subject = `${action} ${scope} ${direction}`;
        const change = { action: "release", subject, before: { stopped: released.reason }, after: { stopped: null } };
        if (by !== undefined) await recordAction(transaction, by, change);
        return true;
      });
      await refresh();
      return released;
    },
    async reportShortage(network, slug, missing) {
      // Asked for each instrument and minute: without a stop there is nothing to end.
      if (missing === null && !active.some((one) => one.cause === "reconciler" && one.scope === network)) return;
      if (missing === null)
        await sql`update kill_switches set missing = missing - ${slug}::text, measured_at = measured_at - ${slug}::text,
          reason = ${shortageReason(sql`missing - ${slug}::text`)}
          where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'reconciler' and missing ? ${slug}::text`.execute(
          database.kysely,
        );
      else
        await sql`
          insert into kill_switches (action, scope, direction, reason, at, cause, missing, measured_at)
          values ('pay', ${network}, 'both', ${SHORT_OF + slug}, now(), 'reconciler',
            jsonb_build_object(${slug}::text, ${missing.toString()}::text), jsonb_build_object(${slug}::text, now()))
          on conflict (action, scope, direction, cause) do update set missing = kill_switches.missing || excluded.missing,
            measured_at = kill_switches.measured_at || excluded.measured_at,
            reason = ${shortageReason(sql`kill_switches.missing || excluded.missing`)}`.execute(database.kysely);
      await refresh();
    },
    async endExplainedShortage(network) {
      if (!active.some((one) => one.cause === "reconciler" && one.scope === network)) return false;
      const { numAffectedRows = 0n } = await sql`
        delete from kill_switches k
        where action = 'pay' and scope = ${network} and direction = 'both' and cause = 'reconciler' and missing = '{}'
          and exists (select 1 from unknown_payments u
            where u.network = k.scope and u.decision in ('booked', 'to ourselves') and u.decided_at >= k.at)
          and not exists (select 1 from unknown_payments u where u.network = k.scope and u.decision is null)`.execute(
        database.kysely,
      );
      await refresh();
      return numAffectedRows > 0n;
    },
    async setRefundOnly(reason, by) {
      await inTransaction(database, async (transaction) => {
        const stored = await readSetting(transaction, REFUND_ONLY);
        const refundOnly = stored === undefined ? null : modeSchema.parse(stored).reason;
        if (by !== undefined) await requireOtherMode(transaction, refundOnly, reason);
        if (reason === null) await deleteSetting(transaction, REFUND_ONLY);
        else await storeSetting(transaction, REFUND_ONLY, { reason });
        const before = { refundOnly };
        const change = { action: "refund-only", subject: REFUND_ONLY_SUBJECT, before, after: { refundOnly: reason } };
        if (by !== undefined) await recordAction(transaction, by, change);
      });
      await refresh();
    },
  };
}

const lastModeChange = (db: Kysely<Schema>) =>
  db
    .selectFrom("operator_actions")
    .select(["operator", "at as since"])
    .where("subject", "=", REFUND_ONLY_SUBJECT)
    .where("action", "=", "refund-only")
    .orderBy("id", "desc")
    .executeTakeFirst();

/** Whoever would begin again what another operator has begun would end it for both. */
async function requireOtherMode(db: Kysely<Schema>, now: string | null, asked: string | null): Promise<void> {
  if (now === null && asked === null) throw new OperatorError("Refund-only mode is off already.");
  if (now === null || asked === null) return;
  const by = (await lastModeChange(db))?.operator ?? null;
  throw new OperatorError(`Refund-only mode is on already (${now})${byName(by)}.`);
}

const SHORT_OF = "the hot wallet is short of ";

/** Why the reconciler stops a network that misses these amounts; one that misses nothing any more says what it missed last. */
export const shortageReason = (missing: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce(${SHORT_OF} || (select string_agg(slug, ', ' order by slug) from jsonb_object_keys(${missing}) as slug), kill_switches.reason)`;

/** One release ends one stop: whoever ends maintenance has decided nothing about what the engine has stopped meanwhile. */
const RELEASED_IN_TURN: readonly StopCause[] = ["operator", "follower", "reconciler"];

/** With the operator who said last why. */
async function listStops(db: Kysely<Schema>): ReturnType<Switches["list"]> {
  const { rows } = await sql<Awaited<ReturnType<Switches["list"]>>[number]>`
    select k.action, k.scope, k.direction, k.reason, k.cause, k.at as since, case when k.cause = 'operator' then (
      select a.operator from operator_actions a
      where a.subject = k.action || ' ' || k.scope || ' ' || k.direction and a.action = 'stop' order by a.id desc limit 1) end as operator
    from kill_switches k order by k.at, k.action, k.scope, k.direction, k.cause`.execute(db);
  return rows;
}

async function alreadyStopped(db: Kysely<Schema>, asked: Omit<KillSwitch, "reason">): Promise<OperatorError> {
  const stop = (await listStops(db)).find(
    ({ action, scope, direction, cause }) =>
      cause === "operator" && action === asked.action && scope === asked.scope && direction === asked.direction,
  );
  return new OperatorError(
    `It is stopped already${stop === undefined ? "" : ` (${stop.reason})${byName(stop.operator)}`}. For another reason release it first.`,
  );
}

const byName = (operator: string | null): string => (operator === null ? "" : `, by ${operator}`);

type Stop = { reason: string; missing: Readonly<Record<string, string>> };

/** Who has set that switch, and why. Locked, so that what is recorded is what was changed. */
async function stopsOf(
  transaction: Transaction<Schema>,
  { action, scope, direction }: Omit<KillSwitch, "reason">,
): Promise<ReadonlyMap<StopCause, Stop>> {
  const rows = await transaction
    .selectFrom("kill_switches")
    .select(["cause", "reason", "missing"])
    .where("action", "=", action)
    .where("scope", "=", scope)
    .where("direction", "=", direction)
    .forUpdate()
    .execute();
  return new Map(rows.map(({ cause, ...stop }) => [cause, stop]));
}

function requireNothingMissing(network: string, missing: Stop["missing"]): void {
  const slugs = Object.keys(missing);
  if (slugs.length > 0)
    throw new OperatorError(
      `The hot wallet of ${network} is short of ${slugs.join(", ")}: bring it back, or book it with "freeze propose".`,
    );
}

/** Payments that the chain shows and no row knows: one of them may have paid already what would be signed now. */
async function hasUnknownPayments(db: Kysely<Schema>, network: string): Promise<boolean> {
  const open = await db
    .selectFrom("unknown_payments")
    .select("tx_id")
    .where("network", "=", network)
    .where("decision", "is", null)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

function reasonOf(
  active: readonly KillSwitch[],
  action: KillSwitch["action"],
  instrument: { slug: string; networkTitle: string },
  direction: "from" | "to",
): string | null {
  const found = active.find(
    (one) =>
      one.action === action &&
      (one.scope === "*" || one.scope === instrument.slug || one.scope === instrument.networkTitle) &&
      (one.direction === "both" || one.direction === direction),
  );
  return found?.reason ?? null;
}
