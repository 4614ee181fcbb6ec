import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";

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
  const ours = await ownAddresses(parts.database, asked);
  return asked.find(({ networkTitle, address }) => ours.has(`${networkTitle} ${address}`)) ?? null;
}

/** Whether an address is a deposit address or a hot wallet of ours, on its network. */
export async function isOwnAddress(database: Database, networkTitle: string, address: string): Promise<boolean> {
  return (await ownAddresses(database, [{ networkTitle, address }])).size > 0;
}

async function ownAddresses(database: Database, asked: readonly Address[]): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ network: string; address: string }>({
    name: "own_addresses",
    text: OWN_ADDRESSES,
    values: [asked.map((one) => one.networkTitle), asked.map((one) => one.address)],
  });
  return new Set(rows.map(({ network, address }) => `${network} ${address}`));
}

/** Under a name, so that it is planned once for each connection: every order asks it. */
const OWN_ADDRESSES = `
  select asked.network, asked.address from unnest($1::text[], $2::text[]) as asked (network, address)
  where exists (select 1 from deposit_addresses d where d.network = asked.network and d.address = asked.address)
    or exists (select 1 from hot_addresses h where h.network = asked.network and h.address = asked.address)`;

/** Whatever the case: two addresses of one network never differ by it alone. */
function isTokenContract({ instruments }: UnpayableParts["catalogue"], { networkTitle, address }: Address): boolean {
  for (const instrument of instruments.values())
    if (instrument.networkTitle === networkTitle && instrument.contractAddress?.toLowerCase() === address.toLowerCase())
      return true;
  return false;
}
