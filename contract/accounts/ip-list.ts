import * as z from "zod/mini";

const KINDS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;
/** Of an IPv6 address, before the IPv4 address that it maps. */
const MAPPED_PREFIX_BITS = 96;

/**
 * Whether a text is a list of IPv4 and IPv6 addresses and CIDR ranges with commas between them; an empty one is (contract §8). A range of
 * ::ffff:1.2.3.4 whose bits count as those of an IPv4 range is refused: it would have nearly every IPv4 address.
 */
export const isIpList = (text: string): boolean =>
  text.trim() === "" || text.split(",").every((part) => isIpOrRange(part.trim()));

const isIpOrRange = (text: string): boolean =>
  KINDS.some((kind) => kind.safeParse(text).success) && mappedRange(text) === null;

/** The IPv4 range that was meant by one of a mapped address with fewer bits than its prefix has; else null. */
export function mappedRange(text: string): { address: string; bits: number } | null {
  const [address = "", bits] = text.split("/");
  if (bits === undefined || Number(bits) >= MAPPED_PREFIX_BITS || !z.ipv6().safeParse(address).success) return null;
  const groups = MAPPED.exec(new URL(`http://[${address}]`).hostname)?.slice(1);
  if (groups === undefined) return null;
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
  return { address: bytes.join("."), bits: Math.min(Number(bits), 32) };
}
