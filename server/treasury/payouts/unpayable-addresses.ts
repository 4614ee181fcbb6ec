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
  const contract = findTokenContract(parts.catalogue, asked);
  if (contract !== null) return contract;
  const ours = await Promise.all(
    asked.map(({ networkTitle, address }) => isOwnAddress(parts.database, networkTitle, address)),
  );
  return asked.find((_, at) => ours[at]) ?? null;
}

/** The first of these addresses that is a token's contract; without I/O. */
export const findTokenContract = <Asked extends Address>(
  catalogue: UnpayableParts["catalogue"],
  asked: readonly Asked[],
): Asked | null => asked.find((one) => isTokenContract(catalogue, one)) ?? null;

/** Whether an address is a deposit address or a hot wallet of ours, on its network. */
export async function isOwnAddress({ pool }: Database, networkTitle: string, address: string): Promise<boolean> {
  const values = [networkTitle, address];
  const { rows } = await pool.query<{ ours: boolean }>({ name: "own_address", text: OWN_ADDRESS, values });
  return rows[0]?.ours === true;
}

/**
 * Whether an address is one of ours, as an expression of SQL; both are expressions too. A plan that was made while the tables were empty
 * stays in use: only the index by address fits this comparison of the network.
 */
export const isOursSql = (network: string, address: string): string => `(
  coalesce((select true from deposit_addresses o where o.address = ${address} and o.network is not distinct from ${network} limit 1), false)
  or coalesce((select true from hot_addresses o where o.network = ${network} and o.address = ${address} limit 1), false))`;

/** Under a name, so that it is planned once for each connection. */
const OWN_ADDRESS = `select ${isOursSql("$1::text", "$2::text")} as ours`;

/** Whatever the case: two addresses of one network never differ by it alone. */
function isTokenContract({ instruments }: UnpayableParts["catalogue"], { networkTitle, address }: Address): boolean {
  for (const instrument of instruments.values())
    if (instrument.networkTitle === networkTitle && instrument.contractAddress?.toLowerCase() === address.toLowerCase())
      return true;
  return false;
}
