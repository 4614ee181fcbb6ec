import { once } from "node:events";
import { SMTPServer, type SMTPServerError } from "smtp-server";

export type CaughtMail = { from: string; to: string[]; raw: string };

/** What the server does with the next mail once it is complete; `hang` never answers. */
type Reply = "accept" | "hang" | "accept-and-drop" | number;

/** A real SMTP server that fails on demand. */
export class SmtpSink implements AsyncDisposable {
  readonly caught: CaughtMail[] = [];
  /** Used up one by one by the mails; later ones are accepted. */
  replies: Reply[] = [];
  /** Refuses these recipients for good. */
  readonly unknownRecipients = new Set<string>();
  /** Waits with its greeting for ever. */
  isSilent = false;
  connections = 0;
  #server: SMTPServer | null = null;
  #port: number;
  readonly #login: { user: string; pass: string } | null;

  constructor(login: { user: string; pass: string } | null = null, port = 0) {
    this.#login = login;
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<this> {
    const login = this.#login;
    const server = new SMTPServer({
      logger: false,
      disabledCommands: login === null ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
      authOptional: login === null,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onConnect: (_session, done) => {
        this.connections += 1;
        if (!this.isSilent) done();
      },
      onAuth: ({ username, password }, _session, done) => {
        const isRight = username === login?.user && password === login?.pass;
        if (isRight) done(null, { user: username });
        else done(failure(535, "wrong password"));
      },
      onRcptTo: ({ address }, _session, done) =>
        done(this.unknownRecipients.has(address) ? failure(550, `no such user ${address}`) : null),
      onData: (stream, { envelope }, done) => {
        const reply = this.replies.shift() ?? "accept";
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          if (typeof reply === "number") return done(failure(reply, "not now"));
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          const raw = Buffer.concat(chunks).toString();
          this.caught.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
          if (reply === "accept") return done(null);
          // As a server that dies between accepting a mail and saying so.
          if (reply === "accept-and-drop") this.#cut();
        });
      },
    });
    server.on("error", () => undefined);
    this.#server = server;
    const listening = server.listen(this.#port, "127.0.0.1");
    await once(listening, "listening");
    const address = listening.address();
    if (address === null || typeof address === "string") throw new Error("the mail server has no address");
    this.#port = address.port;
    return this;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise<void>((resolve) => server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #cut(): void {
    for (const connection of this.#server?.connections ?? []) connection._socket.destroy();
  }
}

function failure(responseCode: number, message: string): SMTPServerError {
  return Object.assign(new Error(message), { responseCode });
}
