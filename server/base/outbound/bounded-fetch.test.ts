import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";
import { createReadBudget } from "./read-budget.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
}

describe("a bounded fetch", () => {
  it("reads what fits, with its status and headers", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(418, { "x-kind": "tea" }).end("x".repeat(1_000));
    });
    const answer = await boundedFetch(1_000)(url);
    expect([answer.status, answer.headers.get("x-kind"), (await answer.text()).length]).toEqual([418, "tea", 1_000]);
  });

  it("refuses a longer answer by its length, before it is read", async () => {
    const url = await serve((_request, response) => void response.end("x".repeat(1_001)));
    await expect(boundedFetch(1_000)(url)).rejects.toThrow("longer than 1000 bytes");
  });

  /** Sends without end, and counts what has left. */
  const serveEndless = async (): Promise<{ url: string; sent(): number }> => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const send = () => {
        sent += 65_536;
        if (!response.destroyed && response.write("x".repeat(65_536))) setImmediate(send);
        else response.once("drain", send);
      };
      send();
    });
    return { url, sent: () => sent };
  };

  it("stops reading an answer without end", async () => {
    const { url, sent } = await serveEndless();
    await expect(boundedFetch(1_000_000)(url)).rejects.toThrow("longer than 1000000 bytes");
    expect(sent()).toBeLessThan(100_000_000);
  });

  it("keeps no more of several answers than of one, and drops the longest of them", async () => {
    const endless = await serveEndless();
    const budget = createReadBudget(1_000_000);
    const slow = await serve((_request, response) => {
      response.write("x".repeat(10_000));
      const finish = () => (endless.sent() > 8_000_000 ? response.end("y") : setImmediate(finish));
      finish();
    });
    const honest = boundedFetch(10_000_000, budget)(slow);
    const answers = Array.from({ length: 8 }, () => boundedFetch(10_000_000, budget)(endless.url));
    const results = await Promise.allSettled(answers);
    const reasons = results.map((result) => (result.status === "rejected" ? String(result.reason) : "read"));
    expect(reasons).toEqual(
      Array.from({ length: 8 }, () => "Error: the answers that are read at once are longer than 1000000 bytes"),
    );
    expect((await (await honest).text()).length).toBe(10_001);
    expect(budget.most).toBeLessThan(1_000_000 + 8 * 65_536);
    expect(budget.held).toBe(0);
  });

  it("forgets what was read once its caller has aborted an answer", async () => {
    const url = await serve((_request, response) => void response.write("x".repeat(10_000)));
    const budget = createReadBudget(1_000_000);
    const stop = new AbortController();
    const answer = boundedFetch(1_000_000, budget)(url, { signal: stop.signal });
    await expect.poll(() => budget.held).toBe(10_000);
    stop.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    expect(budget.held).toBe(0);
  });

  it("follows no redirect", async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await expect(boundedFetch()(url, { method: "POST", body: "{}" })).rejects.toThrow();
    expect(asked).toEqual(["/"]);
  });
});
