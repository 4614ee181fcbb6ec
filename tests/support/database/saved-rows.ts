import pg from "pg";

const TABLES = `
  select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname`;
const SEQUENCES = "select format('%I', sequencename) as name from pg_sequences where schemaname = 'public'";

/** Keeps a second set of a database's rows in it; gives the SQL that puts them back, and the sequences too. */
export async function saveRows(url: string): Promise<string> {
  return within(url, async (client) => {
    const tables = (await client.query<{ name: string; columns: string }>(TABLES)).rows;
    const sequences = (await client.query<{ name: string }>(SEQUENCES)).rows;
    await client.query("create schema saved");
    for (const { name } of tables) await client.query(`create table saved.${name} as table public.${name}`);
    for (const { name } of sequences)
      await client.query(`create table saved.${name} as select last_value, is_called from public.${name}`);
    return [
      "begin",
      // Neither triggers nor foreign keys: the rows are as they were together.
      "set local session_replication_role = replica",
      ...tables.flatMap(({ name, columns }) => [
        `delete from public.${name}`,
        `insert into public.${name} (${columns}) overriding system value select ${columns} from saved.${name}`,
      ]),
      ...sequences.map(({ name }) => `select setval('public.${name}', last_value, is_called) from saved.${name}`),
      "commit",
    ].join("; ");
  });
}

/** Puts back what `saveRows` kept. Nobody else may be connected. */
export const restoreRows = ({ url, restore }: { readonly url: string; readonly restore: string }): Promise<void> =>
  within(url, async (client) => void (await client.query(restore)));

async function within<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
