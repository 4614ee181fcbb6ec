import { afterEach, beforeEach, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { loadCatalogue } from "../../catalogue/index.ts";
import { runRecoveryCommand } from "./recovery-commands.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const catalogue = await loadCatalogue();
const say = (...words: string[]) => runRecoveryCommand(database, catalogue, words);
const actions = () =>
  database.kysely.selectFrom("operator_actions").select(["operator", "reason", "action", "subject"]).execute();

const unknownPayment = () =>
  database.pool.query(
    `insert into unknown_payments (network, tx_id, height, pays, found_at)
     values ('ETH', '0xabc', 7, '[{"to":"0xdef","slug":"eth","amount":"12"}]', now())`,
  );

it("an unknown payment is listed and dismissed, with who and why", async () => {
  expect(await say("unknown-payments")).toBe("every payment that the chains show is known");
  await unknownPayment();
  expect(await say("unknown-payments")).toBe(
    'ETH 0xabc in block 7: 0.000000000000000012 eth to 0xdef (no open payment owes that; a withdrawal that was asked for after the backup has its sum in the wallet again: "adjust" it, then dismiss it with --adjusted)',
  );
  await expect(say("unknown-payment", "dismiss", "eth", "0xabc", "moved", "to", "the", "vault")).rejects.toThrow(
    "--as",
  );
  await expect(say("unknown-payment", "dismiss", "ETH", "0xabc", "--as", "ann")).rejects.toThrow("Give a reason");
  await say("unknown-payment", "dismiss", "ETH", "0xabc", "moved", "to", "the", "vault", "--as", "ann");
  expect(await say("unknown-payments")).toBe("every payment that the chains show is known");
  expect(await actions()).toEqual([
    { operator: "ann", reason: "moved to the vault", action: "dismiss payment", subject: "ETH 0xabc" },
  ]);
});

it("nothing is decided, and nothing recorded, where the payment or the payout is not known", async () => {
  await unknownPayment();
  await expect(say("unknown-payment", "book", "ETH", "0xabc", "77", "it was", "--as", "ann")).rejects.toThrow(
    "ETH has no payment 77",
  );
  await expect(say("unknown-payment", "dismiss", "ETH", "0xother", "why", "--as", "ann")).rejects.toThrow(
    "no undecided payment 0xother",
  );
  expect(await actions()).toEqual([]);
});

it("addresses are skipped, with who and why", async () => {
  await say("skip-addresses", "files", "were", "copied", "--as", "ann");
  const { rows } = await database.pool.query<{ value: string }>("select value from first_deposit_index");
  expect(Number(rows[0]?.value)).toBeGreaterThan(10_000);
  expect((await actions()).map(({ action }) => action)).toEqual(["skip addresses"]);
});

it("any other command is left to others", async () => {
  expect(await say("status")).toBeNull();
});

it("the time is led back where a wrong clock has moved it ahead, with who and why", async () => {
  await expect(say("reset-clock", "why", "--as", "ann")).rejects.toThrow("not ahead");
  await database.pool.query(
    "insert into settings (key, value) values ('clock_mark', jsonb_build_object('ms', $1::bigint))",
    [Date.now() + 3_600_000],
  );
  await expect(say("reset-clock", "--as", "ann")).rejects.toThrow("Give a reason");
  expect(await say("reset-clock", "a", "wrong", "clock", "--as", "ann")).toContain("3600 s ahead");
  await expect(say("reset-clock", "again", "--as", "ann")).rejects.toThrow("not ahead");
  expect(await actions()).toEqual([
    { operator: "ann", reason: "a wrong clock", action: "reset clock", subject: "business clock" },
  ]);
});
