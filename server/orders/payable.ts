import { findUnpayable } from "../treasury/index.ts";
import type { UnpayableParts } from "../treasury/port.ts";
import { invalid } from "./recipients.ts";

type Asked = { networkTitle: string; address: string; field: "destinationAddress" | "refundAddress" };

/** Throws ERR_VALIDATION at the field of an address that nobody outside has: our own, or a token's contract. Addresses are canonical. */
export async function requirePayable(parts: UnpayableParts, asked: readonly Asked[]): Promise<void> {
  const found = await findUnpayable(parts, asked);
  if (found !== null) throw invalid({ [found.field]: "error_address_incorrect" }, "Nobody can be paid at this address");
}
