// ZMTP 3.0 (rfc.zeromq.org/spec/23), as far as a subscriber without encryption needs it.

const GREETING_BYTES = 64;
const MORE = 1;
const LONG = 2;
const COMMAND = 4;
/** A hash has 32 bytes, what Monero says of a block some hundreds for each transaction in it; a peer that sends much more is none. */
const MAX_FRAME_BYTES = 10_000_000;

/** What a subscriber says at first; the peer sends its own greeting meanwhile. */
export function greeting(): Buffer {
  const bytes = Buffer.alloc(GREETING_BYTES);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.write("NULL", 12, "latin1");
  return bytes;
}

/** That it is a subscriber, and to what; sent once the peer has greeted. */
export function subscription(topics: readonly string[]): Buffer {
  const socketType = Buffer.concat([named("Socket-Type"), Buffer.from([0, 0, 0, 3]), Buffer.from("SUB")]);
  const ready = frame(COMMAND, Buffer.concat([named("READY"), socketType]));
  return Buffer.concat([
    ready,
    ...topics.map((topic) => frame(0, Buffer.concat([Buffer.from([1]), Buffer.from(topic)]))),
  ]);
}

const named = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")]);
const frame = (flags: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([flags, body.length]), body]);

/** Reads a peer's bytes however they are cut. */
export class PeerReader {
  private rest = Buffer.alloc(0);
  private isGreeted = false;

  /** How many messages ended in these bytes, and whether the peer has greeted. Throws on what is no ZMTP 3. */
  read(chunk: Uint8Array): { messages: number; isGreeted: boolean } {
    this.rest = Buffer.concat([this.rest, chunk]);
    let messages = 0;
    if (!this.isGreeted) this.readGreeting();
    while (this.isGreeted) {
      const flags = this.nextFrame();
      if (flags === null) break;
      // Parts of one message follow each other.
      if ((flags & (COMMAND | MORE)) === 0) messages += 1;
    }
    return { messages, isGreeted: this.isGreeted };
  }

  private readGreeting(): void {
    const { rest } = this;
    if ((rest.length > 0 && rest[0] !== 0xff) || (rest.length > 10 && (rest[10] ?? 0) < 3))
      throw new Error("the peer doesn't speak ZMTP 3");
    if (rest.length < GREETING_BYTES) return;
    this.isGreeted = true;
    this.rest = rest.subarray(GREETING_BYTES);
  }

  /** Its flags; null where it is not whole yet. */
  private nextFrame(): number | null {
    const { rest } = this;
    const [flags = 0] = rest;
    const isLong = (flags & LONG) !== 0;
    const head = isLong ? 9 : 2;
    if (rest.length < head) return null;
    const size = isLong ? Number(rest.readBigUInt64BE(1)) : (rest[1] ?? 0);
    if (size > MAX_FRAME_BYTES) throw new Error(`the peer announces a frame of ${size} bytes`);
    if (rest.length < head + size) return null;
    this.rest = rest.subarray(head + size);
    return flags;
  }
}
