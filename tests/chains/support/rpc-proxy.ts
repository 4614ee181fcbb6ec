import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

type Call = { method: string; params: unknown[]; id: unknown };

/** What happens to one call: it passes, its answer is replaced, it passes but the answer is lost, or the line is cut, before or after. */
export type Fate =
  | { kind: "pass" }
  | { kind: "answer"; body: object }
  | { kind: "lose answer" }
  | { kind: "cut" }
  | { kind: "cut after" };

export type RpcProxy = {
  rpcUrl: string;
  /** The methods that were called, oldest first; a call with a path of its own has that for its method. */
  calls: string[];
  /** Sets what happens to each call from now on. */
  misbehave(fate: (call: Call) => Fate): void;
  behave(): void;
  stop(): Promise<void>;
};

const PASS: Fate = { kind: "pass" };

/** A proxy to a node that injects faults. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const calls: string[] = [];
  let fateOf: (call: Call) => Fate = () => PASS;

  const forward = async (path: string, body: string, { authorization }: IncomingHttpHeaders): Promise<string> => {
    const headers = { "content-type": "application/json", ...(authorization !== undefined && { authorization }) };
    return (await fetch(new URL(path, target), { method: "POST", headers, body })).text();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const path = request.url ?? "/";
    const call = { method: path, ...JSON.parse(body) } as Call;
    calls.push(call.method);
    const fate = fateOf(call);
    if (fate.kind === "cut") {
      request.socket.destroy();
      return;
    }
    const reply =
      fate.kind === "answer"
        ? JSON.stringify({ jsonrpc: "2.0", id: call.id, ...fate.body })
        : await forward(path, body, request.headers);
    if (fate.kind === "cut after") {
      request.socket.destroy();
      return;
    }
    // A lost answer leaves the connection open: the caller only times out.
    if (fate.kind === "lose answer") return;
    response.setHeader("content-type", "application/json").end(reply);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");

  return {
    rpcUrl: `http://127.0.0.1:${address.port}`,
    calls,
    misbehave: (fate) => {
      fateOf = fate;
    },
    behave: () => {
      fateOf = () => PASS;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
