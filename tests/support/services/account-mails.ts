import { createLog } from "../../../server/base/logging/log.ts";
import type { Database } from "../../../server/db/database.ts";
import { startNotifier } from "../../../server/notifications/index.ts";
import { eventually } from "../eventually.ts";
import { PUBLIC_URL } from "../http/http-app.ts";
import { SmtpSink } from "./smtp-sink.ts";

/** Sends what waits in the outbox to a real mail server, and reads it there. */
export class AccountMails implements AsyncDisposable {
  readonly sink = new SmtpSink();
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async start(): Promise<this> {
    await this.sink.start();
    const notifier = startNotifier({
      database: this.database,
      catalogue: { instruments: new Map() },
      config: {
        smtpUrl: `smtp://127.0.0.1:${this.sink.port}`,
        telegram: { botToken: null, apiUrl: "http://127.0.0.1:9" },
        sandbox: false,
        publicUrl: PUBLIC_URL,
      },
      push: null,
      log: createLog({ level: "silent" }),
    });
    this.wake = () => notifier?.wake();
    this.stop = async () => notifier?.stop();
    return this;
  }

  private wake = (): void => undefined;
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.sink.stop();
  }
}
