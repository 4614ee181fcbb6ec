import { sha256 } from "../base/secrets.ts";
import { StartupError } from "../base/processes/startup-error.ts";
import type { Database } from "../db/database.ts";
import type { NetworkReader } from "./port.ts";

/** The configured chain or seed phrase is not the one that the database's rows belong to. */
class NetworkIdentityError extends StartupError {
  override name = "NetworkIdentityError";
}

/**
 * Remembers each network's chain and a fingerprint of its deposit keys, and refuses others: rows of another chain would be paid again,
 * and deposit addresses of another seed phrase lead to coins that nobody can spend. Networks whose keys are in a wallet of their own are
 * checked by `checkedWallet`.
 */
export async function checkNetworkIdentities(database: Database, readers: Iterable<NetworkReader>): Promise<void> {
  for (const reader of readers) {
    const { networkTitle: network, chain } = reader;
    if (chain === undefined) continue;
    const address = reader.depositAddress(0n);
    if (address instanceof Promise) continue;
    await checkIdentity(database, { network, chain, address: address.address });
  }
}

/**
 * The same reader; where its keys are in a wallet of its own, which need not answer at the start, it gives nothing until that wallet has
 * shown the keys that the database knows: of another one's blocks the customers' deposits would be missing.
 */
export function checkedWallet(database: Database, reader: NetworkReader): NetworkReader {
  const { networkTitle: network, walletChain: chain } = reader;
  if (chain === undefined) return reader;
  let isChecked = false;
  const afterCheck = async <Answer>(call: () => Answer | Promise<Answer>): Promise<Answer> => {
    if (!isChecked) {
      const { address } = await reader.depositAddress(0n);
      await checkIdentity(database, { network, chain, address });
      isChecked = true;
    }
    return call();
  };
  return {
    ...reader,
    depositAddress: (index) => afterCheck(() => reader.depositAddress(index)),
    head: () => afterCheck(() => reader.head()),
    blockAt: (height) => afterCheck(() => reader.blockAt(height)),
  };
}

type Identity = { network: string; chain: string; address: string };

async function checkIdentity(database: Database, { network, chain, address }: Identity): Promise<void> {
  const keys = sha256(address).toString("hex").slice(0, 16);
  await database.kysely
    .insertInto("network_identities")
    .values({ network, chain, keys })
    .onConflict((conflict) => conflict.column("network").doNothing())
    .execute();
  const known = await database.kysely
    .selectFrom("network_identities")
    .select(["chain", "keys"])
    .where("network", "=", network)
    .executeTakeFirstOrThrow();
  if (known.chain !== chain)
    throw new NetworkIdentityError(
      `This database belongs to ${known.chain} on ${network}, and the configured node serves ${chain}: use another database, or the node that it was made with.`,
    );
  if (known.keys !== keys)
    throw new NetworkIdentityError(
      `The keys of ${network} are not those that this database was made with: configure its own seed phrase, extended public key or wallet. ` +
        `To change keys on purpose, sweep first, then run: npm run admin -- accept-keys ${network} REASON --as NAME`,
    );
}
