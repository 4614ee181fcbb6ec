import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";

const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT_FRAME = 0x81;
const LENGTH_IN_16_BITS = 126;

const sockets = new Set<Duplex>();
let broadcasts = 0;

const bytesOf = (url: string | undefined): number => Number(/^\/\w+\/(\d+)$/.exec(url ?? "")?.[1] ?? 0);

/** The floor that the real server is compared with: GET /json/N answers N bytes, POST /broadcast/N sends N to every socket. */
const server = createServer((request, response) => {
  const bytes = bytesOf(request.url);
  if (request.method === "POST") broadcast(bytes);
  const body = request.method === "POST" ? "{}" : JSON.stringify("x".repeat(Math.max(0, bytes - 2)));
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});

server.on("upgrade", (request, socket) => {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${ACCEPT_SUFFIX}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  socket.on("error", () => socket.destroy());
  socket.resume();
});

/** A message of its own each time, framed once for all. */
function broadcast(bytes: number): void {
  broadcasts += 1;
  const text = Buffer.from(String(broadcasts).padEnd(bytes));
  const head = Buffer.from([TEXT_FRAME, LENGTH_IN_16_BITS, 0, 0]);
  head.writeUInt16BE(text.length, 2);
  const frame = Buffer.concat([head, text]);
  for (const socket of sockets) socket.write(frame);
}

server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
