import pg from "pg";

const ANSWER_WITHIN_MS = 3_000;
/** The server drops a dead holder in about the time in which a holder notices that it lost the server. */
const KEEPALIVE =
  "set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000";

/** A connection that is known to live: what belongs to its database session, such as an advisory lock, lives with it. */
export type LastingSession = {
  client: pg.Client;
  /** Runs one statement after the other. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  end(): Promise<void>;
};

/** Connects; `onLost` is called once when the connection is gone or no longer answers, unless it was ended. */
export async function openLastingSession(
  url: string,
  applicationName: string,
  onLost: (error: unknown) => void,
  beatEveryMs: number = 2_000,
): Promise<LastingSession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    statement_timeout: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  let isOver = false;
  let isBusy = true;
  let hasAnswered = false;
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const done = last.then(() => client.query<Row>(text, values));
    last = Promise.allSettled([done]);
    return done;
  };
  const query = async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
    const result = await ask<Row>(text, values);
    hasAnswered = true;
    return result;
  };
  const beat = setInterval(() => {
    // What was asked since the last beat has shown that it lives.
    const isKnown = hasAnswered;
    hasAnswered = false;
    if (isBusy || isKnown) return;
    isBusy = true;
    ask("select 1").then(() => void (isBusy = false), lose);
  }, beatEveryMs);
  const end = async (): Promise<void> => {
    isOver = true;
    clearInterval(beat);
    await client.end();
  };
  /** A connection that hangs does not end when asked to. */
  const cut = (): void => {
    isOver = true;
    clearInterval(beat);
    client.connection.stream.destroy();
  };
  const lose = (reason: unknown): void => {
    if (isOver) return;
    cut();
    onLost(reason);
  };
  client.on("error", lose);
  client.on("end", () => lose(new Error("the database has ended the connection")));
  try {
    await client.connect();
    await client.query(KEEPALIVE);
    isBusy = false;
    return { client, query, end };
  } catch (error) {
    cut();
    throw error;
  }
}
