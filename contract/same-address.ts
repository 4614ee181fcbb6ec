const HEX_ADDRESS = /^0x[0-9a-f]+$/i;

/** Whether two typed addresses are the same one; the letter case of a hexadecimal address is only its checksum. */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [a.trim(), b.trim()];
  if (HEX_ADDRESS.test(left) && HEX_ADDRESS.test(right)) return left.toLowerCase() === right.toLowerCase();
  return left === right;
}
