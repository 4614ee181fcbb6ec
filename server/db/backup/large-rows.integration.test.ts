import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { recordSentQueries } from "../../../tests/support/database/sent-queries.ts";
import { restoreBackup, writeBackup } from "./backup.ts";

const CHECKS = 40;
const PHOTO_BYTES = 300_000;

const digestOf = async ({ pool }: TestDatabase) =>
  (
    await pool.query<{ digest: string }>(
      "select md5(string_agg(md5(sealed), ',' order by verification_id)) as digest from verification_documents",
    )
  ).rows[0]?.digest;

test("photos come back byte for byte, a few at a time: hundreds at once would not fit into the memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const fetched: string[] = [];
  // Before any connection, each of which keeps the function that it was made with.
  onTestFinished(recordSentQueries((text) => fetched.push(text)));
  await using source = await freshDatabase();
  await source.pool.query("insert into users (email) values ('ann@mail.example')");
  await source.pool.query(
    `insert into verifications (user_id, status, reject_reason, created_at, decided_at)
     select (select max(id) from users), 'REJECT', 'face_differs', now(), now() from generate_series(1, $1)`,
    [CHECKS],
  );
  await source.pool.query(
    `insert into verification_documents (verification_id, kind, key_id, sealed)
     select id, 'face', 'key', convert_to(repeat(md5(id::text), $1 / 32), 'latin1') from verifications`,
    [PHOTO_BYTES],
  );
  const file = join(folder, "backup");
  await writeBackup(source, file);
  expect(fetched.filter((text) => text === "fetch 8 from backup_rows").length).toBeGreaterThanOrEqual(CHECKS / 8);

  await using copy = await freshDatabase({ empty: true });
  await restoreBackup(copy, file);
  expect(await digestOf(copy)).toBe(await digestOf(source));
});
