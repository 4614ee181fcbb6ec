import { expect, it } from "vitest";
import { freshDatabase } from "../../tests/support/database/database.ts";
import { OperatorError } from "../admin/index.ts";
import { runExchangeCommand } from "./operator.ts";

it.each([
  ["exchange retry 3 why --as ann", "no exchange 3"],
  ["exchange accept 3 why --as ann", "no exchange 3"],
  ["exchange retry x why --as ann", '"x" is no id'],
  ["exchange retry 3 why", "--as NAME"],
  ["exchange lose 3 why --as ann", "npm run admin -- exchange retry"],
])("%s changes nothing", async (text, answer) => {
  await using database = await freshDatabase();
  const command = runExchangeCommand(database, text.split(" "));
  await expect(command).rejects.toThrow(answer);
  await expect(command).rejects.toBeInstanceOf(OperatorError);
  expect(await database.kysely.selectFrom("operator_actions").selectAll().execute()).toEqual([]);
});
