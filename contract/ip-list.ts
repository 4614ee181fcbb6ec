import * as z from "zod/mini";

const KINDS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

/** Whether a text is a list of IPv4 and IPv6 addresses and CIDR ranges with commas between them; an empty one is (contract §8). */
export const isIpList = (text: string): boolean =>
  text.trim() === "" || text.split(",").every((part) => KINDS.some((kind) => kind.safeParse(part.trim()).success));
