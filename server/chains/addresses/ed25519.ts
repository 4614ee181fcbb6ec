/** The curve of Ed25519 (RFC 8032): −x² + y² = 1 + d·x²·y² over 2^255 − 19. */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/** Whether 32 bytes are the compressed form of a point, as every public key is (RFC 8032 §5.1.3). */
export function isOnEd25519(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  let encoded = 0n;
  for (const byte of bytes.toReversed()) encoded = (encoded << 8n) | BigInt(byte);
  const y = encoded & (2n ** 255n - 1n);
  const isOdd = encoded >> 255n === 1n;
  if (y >= P) return false;
  const square = (y * y) % P;
  const xSquared = ((square - 1n + P) * power(((D * square) % P) + 1n, P - 2n)) % P;
  if (xSquared === 0n) return !isOdd;
  return power(xSquared, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let left = exponent, factor = base % P; left > 0n; left >>= 1n, factor = (factor * factor) % P) {
    if (left & 1n) result = (result * factor) % P;
  }
  return result;
}
