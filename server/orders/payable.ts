import { sql } from "kysely";
import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import { invalid } from "./recipients.ts";

export type PayableParts = { database: Database; catalogue: Pick<Catalogue, "instruments"> };

type Asked = { networkTitle: string; address: string; field: "destinationAddress" | "refundAddress" };

/**
 * Refuses addresses that belong to nobody outside: our own, where a payment would come in as the next deposit and be paid out again, and
 * the contracts of tokens, which keep what they get. Throws ERR_VALIDATION at the field. Addresses are canonical.
 */
export async function requirePayable(parts: PayableParts, asked: readonly Asked[]): Promise<void> {
  const refuse = ({ field }: Asked) =>
    invalid({ [field]: "error_address_incorrect" }, "Nobody can be paid at this address");
  for (const one of asked) if (isTokenContract(parts.catalogue, one)) throw refuse(one);
  const ours = await ownAddresses(parts.database, asked);
  const found = asked.find(({ networkTitle, address }) => ours.has(`${networkTitle} ${address}`));
  if (found !== undefined) throw refuse(found);
}

/** Whether an address is a deposit address or a hot wallet of ours, on its network. */
export async function isOwnAddress(database: Database, networkTitle: string, address: string): Promise<boolean> {
  return (await ownAddresses(database, [{ networkTitle, address }])).size > 0;
}

async function ownAddresses(
  database: Database,
  asked: readonly { networkTitle: string; address: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ network: string; address: string }>`
    select asked.network, asked.address
    from unnest(${asked.map((one) => one.networkTitle)}::text[], ${asked.map((one) => one.address)}::text[])
      as asked (network, address)
    where exists (select 1 from deposit_addresses d where d.network = asked.network and d.address = asked.address)
      or exists (select 1 from hot_addresses h where h.network = asked.network and h.address = asked.address)`.execute(
    database.kysely,
  );
  return new Set(rows.map(({ network, address }) => `${network} ${address}`));
}

/** Whatever the case: two addresses of one network never differ by it alone. */
function isTokenContract({ instruments }: PayableParts["catalogue"], { networkTitle, address }: Asked): boolean {
  for (const instrument of instruments.values())
    if (instrument.networkTitle === networkTitle && instrument.contractAddress?.toLowerCase() === address.toLowerCase())
      return true;
  return false;
}
