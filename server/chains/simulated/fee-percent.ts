import type { Database } from "../../db/database.ts";
import { chainDatabase } from "./tables.ts";

type Fees = Promise<ReadonlyMap<string, number>>;

const reading = new WeakMap<Database, Fees>();

/** What blocks of a network ask for, in percent of the usual fee. Every network is asked at once for each price: that is one statement. */
export async function readFeePercent(database: Database, network: string): Promise<number> {
  const shared = reading.get(database) ?? share(database);
  const percent = (await shared).get(network);
  if (percent === undefined) throw new Error(`${network} is not simulated in this database`);
  return percent;
}

/** Read after the calls of this moment, so that each gets what was true when it asked. */
function share(database: Database): Fees {
  const read = Promise.resolve().then(async () => {
    reading.delete(database);
    const rows = await chainDatabase(database)
      .selectFrom("sandbox_networks")
      .select(["network", "fee_percent"])
      .execute();
    return new Map(rows.map((row) => [row.network, row.fee_percent]));
  });
  reading.set(database, read);
  return read;
}
