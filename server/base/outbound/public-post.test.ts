import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { postOnce } from "./public-post.ts";

/** A server that answers a request with the same bytes for as long as they are read. */
async function flooding(bytes: string): Promise<{ url: URL; sockets: Socket[] }> {
  const chunk = Buffer.from(bytes.repeat(Math.ceil(16_384 / bytes.length)));
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", pump).once("data", pump);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), sockets };
}

const post = (url: URL) =>
  postOnce({
    url,
    headers: {},
    body: Buffer.from("{}"),
    isPublicOnly: false,
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });

test.each([
  ["interim answers", "HTTP/1.1 102 Processing\r\n\r\n"],
  ["hints with links", `HTTP/1.1 103 Early Hints\r\nlink: ${"x".repeat(1_000)}\r\n\r\n`],
  ["empty lines", "\r\n"],
])("a server that sends %s without end is left at once", async (_name, bytes) => {
  const { url, sockets } = await flooding(bytes);
  expect(await post(url)).toEqual({ kind: "unanswered" });
  await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test("a server that says a few times that it is at work is heard", async () => {
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(3));
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const answer = await post(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  expect(answer).toEqual({ kind: "answered", status: 204, retryAfterSeconds: null });
});
