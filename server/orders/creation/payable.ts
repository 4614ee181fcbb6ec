import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import { findTokenContract, findUnpayable } from "../../treasury/index.ts";
import { blacklisted, isBlacklisted } from "../../blacklist/index.ts";
import type { UnpayableParts } from "../../treasury/port.ts";
import { invalid } from "./recipients.ts";

type Field = "destinationAddress" | "refundAddress";
type Asked = { networkTitle: string; address: string; field: Field };

/**
 * Throws ERR_VALIDATION at the field of an address that nobody outside has: our own, or a token's contract; ERR_FORBIDDEN for one that is
 * blacklisted. Addresses are canonical.
 */
export async function requirePayable(parts: UnpayableParts, asked: readonly Asked[]): Promise<void> {
  const found = await findUnpayable(parts, asked);
  if (found !== null) throw unpayableAt(found.field);
  const addresses = asked.map(({ address }) => address);
  if (await isBlacklisted(parts.database.kysely, addresses)) throw blacklisted();
}

/** The same for tokens' contracts alone, without I/O: the statement that opens an order looks for our own addresses. */
export function refuseContracts(catalogue: UnpayableParts["catalogue"], asked: readonly Asked[]): void {
  const found = findTokenContract(catalogue, asked);
  if (found !== null) throw unpayableAt(found.field);
}

export const unpayableAt = (field: Field) =>
  invalid({ [field]: ADDRESS_UNPAYABLE }, "Nobody can be paid at this address");
