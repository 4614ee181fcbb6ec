import { OperatorError, type Options } from "../../admin/index.ts";
import type { Catalogue } from "../../catalogue/index.ts";
import { memoParserOf, parseAddressOf } from "../../chains/addresses/index.ts";
import type { Database } from "../../db/database.ts";
import { findUnpayable } from "../payouts/unpayable-addresses.ts";

export type RecipientParts = {
  database: Database;
  catalogue: Pick<Catalogue, "instruments">;
  /** Whether addresses are those of local chains. */
  isRegtest: boolean;
};

/** Where an operator sends coins to. Throws for an address that is none of the network, and for one where a payment would be lost or come back as a deposit. */
export async function readRecipient(parts: RecipientParts, network: string, { to, memo }: Options) {
  if (to === undefined) throw new OperatorError("Say where to: --to ADDRESS.");
  const parsed = parseAddressOf(network, to, parts.isRegtest ? "regtest" : "main");
  if (!parsed.valid) throw new OperatorError(`${to} is no address of ${network}.`);
  if ((await findUnpayable(parts, [{ networkTitle: network, address: parsed.canonical }])) !== null)
    throw new OperatorError(`${to} is one of our own addresses, or a token's contract: nobody can be paid there.`);
  const own = parsed.memo ?? null;
  if (memo === undefined) return { address: parsed.canonical, memo: own };
  const read = memoParserOf(network)?.(memo);
  if (read?.valid !== true || (own !== null && own !== read.canonical))
    throw new OperatorError(`${memo} is no memo of that address.`);
  return { address: parsed.canonical, memo: read.canonical };
}
