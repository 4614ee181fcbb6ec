const TO_KEY = 0x02;
const KEY_IMAGE_BYTES = 32;

/** The key images that a signed transaction spends, in hex: the chain takes each of them once. Throws for what isn't a transaction. */
export function keyImagesOf(bytes: string): string[] {
  const data = Buffer.from(bytes, "hex");
  let at = 0;
  const byte = (): number => {
    const value = data[at];
    if (value === undefined) throw new RangeError("the transaction ends too early");
    at += 1;
    return value;
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  };
  const [_version, _unlockTime, inputs] = [varint(), varint(), varint()];
  const keyImages: string[] = [];
  for (let left = inputs; left > 0n; left -= 1n) {
    if (byte() !== TO_KEY) throw new RangeError("the transaction has an input that spends no output");
    const [_amount, ringSize] = [varint(), varint()];
    for (let member = ringSize; member > 0n; member -= 1n) varint();
    if (at + KEY_IMAGE_BYTES > data.length) throw new RangeError("the transaction ends too early");
    keyImages.push(data.toString("hex", at, at + KEY_IMAGE_BYTES));
    at += KEY_IMAGE_BYTES;
  }
  return keyImages;
}
