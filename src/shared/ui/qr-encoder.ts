import type { drawQr } from "./qr-drawing.ts";

type Encoder = typeof drawQr;

let encoder: Encoder | null = null;

/** For the server, which draws while it renders; a browser keeps what was drawn, and loads the encoder for later codes alone. */
export const giveQrEncoder = (given: Encoder): void => void (encoder = given);

export const qrEncoder = (): Encoder | null => encoder;

export async function loadQrEncoder(): Promise<Encoder> {
  return (encoder ??= (await import("./qr-drawing.ts")).drawQr);
}
