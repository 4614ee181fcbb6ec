import { randomUUID } from "node:crypto";
import pg from "pg";
import { randomHex } from "../../../server/base/secrets.ts";

type Row = Record<string, string | null>;
type Statement = { text: string; values: (string | null)[] };

/** The rows that one creation left, to be inserted again under other keys. */
export type OrderRows = { table: string; row: Row }[];

/** As many as the server's own pool has. */
const CONNECTIONS = 16;
const asText = { getTypeParser: () => (value: string) => value };

export const openPool = (url: string): pg.Pool =>
  new pg.Pool({ connectionString: url, max: CONNECTIONS, types: asText });

export type BareInserts = {
  rowsOf(orderId: string, options: { idempotencyKey?: string }): Promise<OrderRows>;
  /** Inserts copies of the rows, one transaction each, over all connections; gives transactions a second. */
  measure(rows: OrderRows, seconds: number): Promise<number>;
};

/** The floor of order creation: the same rows on the same database, without a server in front of it. */
export function openBareInserts(resources: AsyncDisposableStack, url: string): BareInserts {
  const pool = openPool(url);
  resources.defer(() => pool.end());
  const read = async (table: string, column: string, value: string): Promise<OrderRows> => {
    const { rows } = await pool.query<Row>(`select * from ${table} where ${column} = $1`, [value]);
    return rows.map((row) => ({ table, row }));
  };
  return {
    async rowsOf(orderId, { idempotencyKey }) {
      return [
        ...(idempotencyKey === undefined
          ? []
          : await read("idempotency_keys", "split_part(key, ' ', 2)", idempotencyKey)),
        ...(await read("orders", "id", orderId)),
        ...(await read("order_events", "order_id", orderId)),
        ...(await read("deposit_addresses", "order_id", orderId)),
      ];
    },
    async measure(rows, seconds) {
      const startedAt = performance.now();
      const endsAt = startedAt + seconds * 1000;
      let made = 0;
      const insertOn = async () => {
        while (performance.now() < endsAt) {
          await insertCopy(pool, rows);
          made += 1;
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, insertOn));
      return (made * 1000) / (performance.now() - startedAt);
    },
  };
}

/** Inserts a copy of the rows in one transaction, a statement each, as plain code would. */
export async function insertCopy(pool: pg.Pool, rows: OrderRows): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const statement of copies(rows)) await client.query(statement);
    await client.query("commit");
  } finally {
    client.release();
  }
}

function copies(rows: OrderRows): Statement[] {
  // An address of the network's form: with any other one the worker could not watch the addresses of either side.
  const orderId = randomHex(20);
  const keys: Record<string, Row> = {
    idempotency_keys: { key: randomUUID() },
    orders: { id: orderId, reference: orderId },
    order_events: { order_id: orderId },
    deposit_addresses: { order_id: orderId, address: `0x${orderId}` },
  };
  return rows.map(({ table, row }) => {
    const entries = Object.entries({ ...row, ...keys[table] });
    const columns = entries.map(([name]) => name).join(", ");
    const places = entries.map((_, at) => `$${at + 1}`).join(", ");
    return { text: `insert into ${table} (${columns}) values (${places})`, values: entries.map(([, value]) => value) };
  });
}
