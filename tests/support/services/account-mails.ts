import { sql } from "kysely";
import { createLog } from "../../../server/base/logging/log.ts";
import type { Database } from "../../../server/db/database.ts";
import type { AccountMailLimits } from "../../../server/notifications/account-mail-limits.ts";
import { startNotifier, type NotifierParts } from "../../../server/notifications/index.ts";
import { eventually } from "../eventually.ts";
import { PUBLIC_URL } from "../http/http-app.ts";
import { SmtpSink } from "./smtp-sink.ts";

type Others = {
  catalogue?: NotifierParts["catalogue"];
  bot?: { token: string; url: string };
  push?: NotifierParts["push"];
};

/** Sends what waits in the outbox to a real mail server, and reads it there; by other channels too, where they are given. */
export class AccountMails implements AsyncDisposable {
  readonly sink = new SmtpSink();
  private readonly database: Database;
  private readonly limits: AccountMailLimits;
  private readonly others: Others;

  constructor(database: Database, limits: AccountMailLimits = null, others: Others = {}) {
    this.database = database;
    this.limits = limits;
    this.others = others;
  }

  async start(): Promise<this> {
    await this.sink.start();
    const { catalogue = { instruments: new Map() }, bot, push = null } = this.others;
    const notifier = startNotifier({
      database: this.database,
      catalogue,
      config: {
        smtpUrl: `smtp://127.0.0.1:${this.sink.port}`,
        telegram: { botToken: bot?.token ?? null, apiUrl: bot?.url ?? "http://127.0.0.1:9" },
        sandbox: false,
        publicUrl: PUBLIC_URL,
        firstMails: this.limits,
      },
      push,
      log: createLog({ level: "silent" }),
    });
    this.wake = () => notifier.wake();
    this.stop = () => notifier.stop();
    return this;
  }

  /** Has the notifier look for mails at once. */
  wake = (): void => undefined;
  private stop = async (): Promise<void> => undefined;

  /** Mails to this address, as they were sent. */
  to(address: string): string[] {
    return this.sink.caught.filter(({ to }) => to.includes(address)).map(({ raw }) => raw);
  }

  /** The `count`th code that was mailed to this address. */
  async code(address: string, count = 1): Promise<string> {
    return eventually(`the code ${count} to ${address}`, () => {
      this.wake();
      const codes = this.to(address).flatMap((raw) => /Code: ([0-9A-Z]{8})/.exec(raw)?.[1] ?? []);
      return codes[count - 1] ?? null;
    });
  }

  async subject(address: string, pattern: RegExp): Promise<void> {
    await eventually(`a mail with ${pattern} to ${address}`, () => {
      this.wake();
      return this.to(address).some((raw) => pattern.test(raw)) || null;
    });
  }

  /** Waits until each mail was sent or dropped. */
  async settled(): Promise<void> {
    await eventually("no mail waits", async () => {
      this.wake();
      const { rows } = await sql`select from outbox where state = 'pending' limit 1`.execute(this.database.kysely);
      return rows.length === 0 || null;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.sink.stop();
  }
}
