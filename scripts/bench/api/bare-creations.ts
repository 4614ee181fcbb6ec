import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { insertCopy, openPool, type OrderRows } from "./bare-inserts.ts";

const jobSchema = z.object({
  databaseUrl: z.string(),
  bytes: z.int(),
  rows: z.array(z.object({ table: z.string(), row: z.record(z.string(), z.string().nullable()) })),
});

/** The floor of order creation: reads JSON, inserts the rows of one order in one transaction, and answers with as many bytes. */
process.once("message", (message) => {
  const { databaseUrl, bytes, rows } = jobSchema.parse(message);
  serve(databaseUrl, rows, JSON.stringify("x".repeat(bytes - 2)));
});

function serve(databaseUrl: string, rows: OrderRows, answer: string): void {
  const pool = openPool(databaseUrl);
  const server = createServer((request, response) => {
    const create = async (): Promise<void> => {
      JSON.parse(await text(request));
      await insertCopy(pool, rows);
    };
    create().then(
      () =>
        response.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
}
process.on("disconnect", () => process.exit());
