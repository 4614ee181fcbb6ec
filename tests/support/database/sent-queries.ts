import { appendFileSync } from "node:fs";
import pg from "pg";

/** Where a process that preloads this file writes each query that it sends, as a line of JSON. */
const FILE = process.env["SENT_QUERIES_FILE"];

/** Hands every query of this process to `record`, whichever connection sends it; returns the function that stops this. */
export function recordSentQueries(record: (text: string) => void): () => void {
  const { query } = pg.Client.prototype;
  const recording = function (this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given;
    const text = typeof asked === "object" && asked !== null && "text" in asked ? asked.text : asked;
    if (typeof text === "string") record(text);
    return Reflect.apply(query, this, given);
  };
  Object.assign(pg.Client.prototype, { query: recording });
  return () => void Object.assign(pg.Client.prototype, { query });
}

if (FILE !== undefined) recordSentQueries((text) => appendFileSync(FILE, `${JSON.stringify(text)}\n`));
