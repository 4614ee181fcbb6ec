import { BlockList, isIP } from "node:net";
import { mappedRange } from "#contract/accounts/ip-list.ts";

/** So many lists are kept as read ones. */
const LISTS = 1_000;
const known = new Map<string, BlockList>();

/** Whether a key's `whiteListIp` has the address, itself or in a range; an empty list has every one (contract §13). */
export function isAllowedAddress(whiteListIp: string, address: string): boolean {
  if (whiteListIp.trim() === "") return true;
  const family = isIP(address);
  // An IPv4 address that a socket of IPv6 names (::ffff:192.0.2.1) is found by its IPv4 rules.
  return family !== 0 && listOf(whiteListIp).check(address, family === 6 ? "ipv6" : "ipv4");
}

function listOf(text: string): BlockList {
  const read = known.get(text) ?? readList(text);
  if (known.size >= LISTS) known.clear();
  known.set(text, read);
  return read;
}

function readList(text: string): BlockList {
  const list = new BlockList();
  for (const part of text.split(",")) {
    const [address = "", bits] = part.trim().split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    // Stored before such a range was refused.
    const meant = mappedRange(part.trim());
    if (meant !== null) list.addSubnet(meant.address, meant.bits, "ipv4");
    else if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
