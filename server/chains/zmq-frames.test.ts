import { expect, it } from "vitest";
import { greeting, PeerReader, subscription } from "./zmq-frames.ts";

const frameOf = (flags: number, body: Uint8Array) => Buffer.concat([Buffer.from([flags, body.length]), body]);
const longFrameOf = (flags: number, body: Uint8Array) => {
  const head = Buffer.alloc(9);
  head[0] = flags | 2;
  head.writeBigUInt64BE(BigInt(body.length), 1);
  return Buffer.concat([head, body]);
};
const READY = frameOf(4, Buffer.from("\u0005READY\u000bSocket-Type\u0000\u0000\u0000\u0003PUB", "latin1"));
const announced = (topic: string) =>
  Buffer.concat([frameOf(1, Buffer.from(topic)), longFrameOf(1, Buffer.alloc(300)), frameOf(0, Buffer.alloc(4))]);

it("a node's messages are counted, however its bytes are cut", () => {
  const bytes = Buffer.concat([greeting(), READY, announced("hashtx"), announced("hashblock"), announced("hashtx")]);
  for (const size of [1, 2, 7, 63, 64, 65, 500, bytes.length]) {
    const reader = new PeerReader();
    let messages = 0;
    for (let at = 0; at < bytes.length; at += size) messages += reader.read(bytes.subarray(at, at + size)).messages;
    expect(messages).toBe(3);
  }
});

it("a subscriber says what it is, and what it wants to hear", () => {
  expect(subscription(["hashtx"])).toEqual(
    Buffer.concat([
      frameOf(4, Buffer.from("\u0005READY\u000bSocket-Type\u0000\u0000\u0000\u0003SUB", "latin1")),
      frameOf(0, Buffer.from("\u0001hashtx", "latin1")),
    ]),
  );
});

it.each([
  ["is no ZMQ", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["speaks an older version", Buffer.concat([Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 1]), Buffer.alloc(53)])],
  ["announces a frame without end", Buffer.concat([greeting(), Buffer.from([2, 0, 0, 0, 9, 0, 0, 0, 0])])],
])("a peer that %s is left", (_, bytes) => {
  expect(() => new PeerReader().read(bytes)).toThrow();
});
