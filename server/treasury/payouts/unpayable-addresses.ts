import type { Catalogue } from "../../catalogue/index.ts";
import type { Database } from "../../db/database.ts";

export type UnpayableParts = { database: Database; catalogue: Pick<Catalogue, "instruments"> };

type Address = { networkTitle: string; address: string };

/**
 * The first of these addresses that belongs to nobody outside: one of our own, where a payment would come in as the next deposit and be
 * paid out again, or the contract of a token, which keeps what it gets. Null where there is none. Addresses are canonical.
 */
export async function findUnpayable<Asked extends Address>(
  parts: UnpayableParts,
  asked: readonly Asked[],
): Promise<Asked | null> {
  const contract = asked.find((one) => isTokenContract(parts.catalogue, one));
  if (contract !== undefined) return contract;
  const ours = await Promise.all(
    asked.map(({ networkTitle, address }) => isOwnAddress(parts.database, networkTitle, address)),
  );
  return asked.find((_, at) => ours[at]) ?? null;
}

/** Whether an address is a deposit address or a hot wallet of ours, on its network. */
export async function isOwnAddress({ pool }: Database, networkTitle: string, address: string): Promise<boolean> {
  const values = [networkTitle, address];
  const { rows } = await pool.query<{ ours: boolean }>({ name: "own_address", text: OWN_ADDRESS, values });
  return rows[0]?.ours === true;
}

/** Under a name, so that it is planned once for each connection: every order asks it. */
const OWN_ADDRESS = `
  select exists (select 1 from deposit_addresses where network = $1 and address = $2)
    or exists (select 1 from hot_addresses where network = $1 and address = $2) as ours`;

/** Whatever the case: two addresses of one network never differ by it alone. */
function isTokenContract({ instruments }: UnpayableParts["catalogue"], { networkTitle, address }: Address): boolean {
  for (const instrument of instruments.values())
    if (instrument.networkTitle === networkTitle && instrument.contractAddress?.toLowerCase() === address.toLowerCase())
      return true;
  return false;
}
