import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../tests/support/eventually.ts";
import { createLog } from "../base/logging/log.ts";
import { watchRating } from "./rating.ts";

const RATING = { source: "Trustpilot", url: "https://www.trustpilot.com/review/example.com", value: "4.7", count: 214 };
const log = createLog({ level: "silent" });

async function watch(answer: string, status = 200) {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const time = { now: 0 };
  const { port } = server.address() as AddressInfo;
  const rating = watchRating(`http://127.0.0.1:${port}/`, log, () => time.now);
  onTestFinished(async () => {
    await rating.stop();
    server.close();
  });
  return { rating, time, asked: () => asked };
}

it("a rating is the operator's source's, for a day after it was last read", async () => {
  const { rating, time } = await watch(JSON.stringify(RATING));
  expect(await eventually("the rating", () => rating.current())).toEqual(RATING);
  time.now = 24 * 3_600_000;
  expect(rating.current()).toBeNull();
});

it.each([
  ["no JSON", "<html>", 200],
  ["a failure", JSON.stringify(RATING), 500],
  ["a rating above its scale", JSON.stringify({ ...RATING, value: "9" }), 200],
  ["too long a text", JSON.stringify({ ...RATING, more: "x".repeat(70_000) }), 200],
])("of a source that answers %s nothing is shown", async (_, answer, status) => {
  const { rating, asked } = await watch(answer, status);
  await eventually("the question", () => (asked() === 1 ? true : null));
  await rating.stop();
  expect(rating.current()).toBeNull();
});
