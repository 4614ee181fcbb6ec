import { createHash } from "node:crypto";
import pg from "pg";

const names = new Map<string, string>();
/** By default a statement is planned anew for its first five values, and a process that dies takes its connections and their plans along. */
const ONE_PLAN = "-c plan_cache_mode=force_generic_plan";

/**
 * Lets the database plan each statement once per connection. Only here: the product stays friendly to poolers, and crashes and simulations
 * send the same hundred statements a million times.
 */
export function prepareStatements(): void {
  pg.defaults.options = ONE_PLAN;
  const query: unknown = pg.Client.prototype.query;
  if (typeof query !== "function") throw new Error("pg has no query to wrap");
  Reflect.set(pg.Client.prototype, "query", function named(this: pg.Client, ...args: unknown[]) {
    const [text, values, ...rest] = args;
    const isPlain = typeof text === "string" && Array.isArray(values) && values.length > 0;
    return Reflect.apply(query, this, isPlain ? [{ name: nameOf(text), text, values }, ...rest] : args);
  });
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}
