import { describe, expect, it } from "vitest";
import { createBackpressuredListener, type RawSocket } from "./backpressure.ts";

/** A socket whose other side reads on demand. */
class Reader implements RawSocket {
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  private readonly unread: ((error?: Error) => void)[] = [];

  send(message: string, sent: (error?: Error) => void): void {
    this.sent.push(message);
    this.bufferedAmount += message.length;
    this.unread.push(sent);
  }

  readAll(error?: Error): void {
    this.bufferedAmount = 0;
    for (const sent of this.unread.splice(0)) sent(error);
  }
}

const KB = 1024;
const message = (name: string) => name.padEnd(10 * KB, ".");
const namesOf = (sent: string[]) => sent.map((text) => text.replaceAll(".", ""));

describe("a slow reader", () => {
  it("is sent nothing more once 16 KB wait, and then only the newest", () => {
    const socket = new Reader();
    const { offer } = createBackpressuredListener(socket, () => undefined);
    for (const name of ["a", "b", "c", "d", "e"]) offer(message(name));
    expect(namesOf(socket.sent)).toEqual(["a", "b"]);
    socket.readAll();
    expect(namesOf(socket.sent)).toEqual(["a", "b", "e"]);
    socket.readAll();
    expect(namesOf(socket.sent)).toEqual(["a", "b", "e"]);
  });

  it("gets no older rate after a newer one", () => {
    const socket = new Reader();
    const { offer } = createBackpressuredListener(socket, () => undefined);
    for (const name of ["a", "b", "c"]) offer(message(name));
    socket.bufferedAmount = 0;
    offer(message("d"));
    socket.readAll();
    expect(namesOf(socket.sent)).toEqual(["a", "b", "d"]);
  });

  it("that is closed receives nothing, and the error is reported", () => {
    const socket = new Reader();
    const failures: Error[] = [];
    const { offer } = createBackpressuredListener(socket, (error) => failures.push(error));
    offer(message("a"));
    socket.readyState = 3;
    offer(message("b"));
    socket.readAll(new Error("gone"));
    expect(namesOf(socket.sent)).toEqual(["a"]);
    expect(failures).toHaveLength(1);
  });
});
