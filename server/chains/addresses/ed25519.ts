import { ed25519 } from "@noble/curves/ed25519.js";

/**
 * Whether 32 bytes can be somebody's public key: a point of the curve in its only encoding (RFC 8032 §5.1.3), in the group of prime order
 * that private keys lead to. One point in eight is in it, so that this also refuses most typos where an address has no checksum.
 */
export function isEd25519Key(bytes: Uint8Array): boolean {
  const point = pointOf(bytes);
  return point !== null && !point.is0() && point.isTorsionFree();
}

function pointOf(bytes: Uint8Array): InstanceType<typeof ed25519.Point> | null {
  if (bytes.length !== 32) return null;
  try {
    return ed25519.Point.fromBytes(bytes);
  } catch {
    return null;
  }
}
