import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { defaultSocketLimits } from "../../server/rates/live/socket-limits.ts";
import { RatesSocket } from "../../src/shared/http/rates-socket.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { testApp, TestMarket, type TestApp } from "../support/http/http-app.ts";

/** Of both ends of a connection this process holds a socket: 5,000 take it 6 s on an idle machine, and much longer beside other tests. */
const CLIENTS = process.env["SOAK"] === "on" ? 5_000 : 2_000;
const BACK_WITHIN_MS = 30_000;
const WINDOW_MS = 250;

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

it("a restart's clients come back spread over seconds, and all of them within 30 s", async () => {
  const market = new TestMarket();
  const socketLimits = { ...defaultSocketLimits, perAddress: CLIENTS };
  const start = (): Promise<TestApp> => testApp(database, { market, config: { socketLimits } });
  let app = await start();
  onTestFinished(() => app.close());
  const url = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));

  let open = 0;
  const attempts: number[] = [];
  const waits: number[] = [];
  let closedAt = 0;
  const clients = Array.from({ length: CLIENTS }, () => {
    const client: RatesSocket = new RatesSocket(
      `ws://127.0.0.1:${url.port}/api/v2/ws`,
      {
        onRate: () => undefined,
        onError: () => undefined,
        onState: (state) => {
          if (state === "closed") open -= 1;
          if (state === "open") open += 1;
          if (state === "open" && closedAt > 0) waits.push(performance.now() - closedAt);
        },
      },
      {
        createSocket: (address) => {
          if (closedAt > 0) attempts.push(performance.now());
          return new WebSocket(address);
        },
      },
    );
    return client;
  });
  onTestFinished(() => clients.forEach((client) => client.close()));
  for (const client of clients) client.connect();
  await eventually("every client is connected", () => open === CLIENTS || null, BACK_WITHIN_MS);

  await app.close();
  await eventually("every client has lost its connection", () => open <= 0 || null, BACK_WITHIN_MS);
  open = 0;
  closedAt = performance.now();
  app = await start();
  await app.listen({ port: Number(url.port), host: "127.0.0.1" });
  await eventually("every client is back", () => waits.length === CLIENTS || null, BACK_WITHIN_MS);

  const most = mostWithin(attempts, WINDOW_MS);
  console.log(
    `${CLIENTS} clients back in ${(Math.max(...waits) / 1000).toFixed(1)} s; at most ${most} tried within ${WINDOW_MS} ms`,
  );
  expect(Math.max(...waits)).toBeLessThan(BACK_WITHIN_MS);
  // Evenly spread over three seconds it would be a twelfth, after a stall of this busy process more; all at once, everybody.
  expect(most).toBeLessThan(CLIENTS / 2);
});

function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [last, time] of sorted.entries()) {
    while ((sorted[first] ?? time) < time - windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
