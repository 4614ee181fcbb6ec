import { expect, test } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { migrate } from "../db/migrate.ts";
import { foldedEmail } from "./folded-email.ts";

const MAX = 0x10ffff;
/** Null bytes and halves of pairs are in no text of the database. */
const isCharacter = (code: number) => code > 0 && (code < 0xd800 || code > 0xdfff);

test("every character is folded alike here and in the database", async () => {
  await using database = await freshDatabase();
  const letters = Array.from({ length: MAX + 1 }, (_, code) => code)
    .filter(isCharacter)
    .map((code) => String.fromCodePoint(code));
  const { rows } = await database.pool.query<{ folded: string; known: boolean }>(
    "select folded_email(letter) as folded, unicode_assigned(letter) as known from unnest($1::text[]) with ordinality as given (letter, n) order by n",
    [letters],
  );
  // One of the two may know a newer Unicode: of letters that the database has not, each is itself there.
  const differs = (letter: string, n: number) => rows[n]?.known === true && rows[n].folded !== foldedEmail(letter);
  expect(letters.filter(differs)).toEqual([]);
  expect(rows.filter(({ known }) => known).length).toBeGreaterThan(150_000);
  for (const [typed, folded] of [
    [
      "\u0418\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444",
      "\u0438\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444",
    ],
    ["mar\u212a@mail.example", "mark@mail.example"],
    ["\u0130bo@mail.example", "ibo@mail.example"],
    ["\u0391\u03a3@mail.example", "\u03b1\u03c3@mail.example"],
    ["\u03b1\u03c2@mail.example", "\u03b1\u03c3@mail.example"],
  ] as const)
    expect(foldedEmail(typed)).toBe(folded);
});

test("of accounts that have one email, whoever could sign in keeps it, and nothing of the others is lost", async () => {
  await using database = await freshDatabase({ empty: true });
  await migrate(database, { until: "0530_mailed_codes_beside_each_other" });
  const emails = ["\u0418\u0412\u0410\u041d@mail.example", "\u0438\u0432\u0430\u043d@mail.example", "Ann@mail.example"];
  await database.pool.query("insert into users (email) select unnest($1::text[])", [emails]);
  await migrate(database, { until: "0531_folded_emails" });
  const { rows } = await database.pool.query<{ email: string }>("select email from users order by id");
  expect(rows.map(({ email }) => email)).toEqual([`${emails[0]}.duplicate-1`, emails[1], emails[2]]);
});
