import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { PartnerError } from "../port.ts";
import { partnerHttp } from "./client.ts";

async function partner(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://user:hunter2@127.0.0.1:${address.port}/key-hunter2/v2`;
}

/** Without credentials in the URL, which fetch refuses. */
const plain = (url: string): string => url.replace("user:hunter2@", "");

const failureOf = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a call to a partner", () => {
  it("follows no redirect: it would take the key along", async () => {
    const asked: string[] = [];
    const url = await partner((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(308, { location: "/elsewhere" }).end();
    });
    const call = partnerHttp(plain(url), { "x-api-key": "hunter2" });
    expect(await failureOf(call("POST", "exchange", { body: {} }))).toBeInstanceOf(PartnerError);
    expect(asked).toEqual(["/key-hunter2/v2/exchange"]);
  });

  it("stops reading an answer without end", async () => {
    let sent = 0;
    const url = await partner((_request, response) => {
      const send = () => {
        sent += 1_000_000;
        if (!response.destroyed && response.write(Buffer.alloc(1_000_000, " "))) setImmediate(send);
        else response.once("drain", send);
      };
      send();
    });
    expect(await failureOf(partnerHttp(plain(url), {})("GET", "list"))).toBeInstanceOf(PartnerError);
    expect(sent).toBeLessThan(200_000_000);
  });

  it.each([
    ["answers 503", 503, "down", {}],
    ["answers no JSON", 200, "<html>", {}],
    ["redirects", 302, "", { location: "/elsewhere" }],
  ])("that %s names the call and nothing of the partner's URL", async (_how, status, body, headers) => {
    const url = await partner((_request, response) => void response.writeHead(status, headers).end(body));
    const failure = await failureOf(partnerHttp(plain(url), {})("GET", "exchange/by-id"));
    expect(String(failure)).toMatch(/GET exchange\/by-id/);
    expect(String(failure)).not.toContain("hunter2");
  });

  it("to a URL with a password fails without repeating it", async () => {
    const url = await partner((_request, response) => void response.end("{}"));
    const failure = await failureOf(partnerHttp(url, {})("GET", "exchange"));
    expect(failure).toBeInstanceOf(PartnerError);
    expect(String(failure)).not.toContain("hunter2");
  });
});
