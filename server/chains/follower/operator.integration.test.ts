import { expect, it } from "vitest";
import { freshDatabase } from "../../../tests/support/database/database.ts";
import { runRescanCommand } from "./operator.ts";

it.each(["LTC", "XMR"])("%s, whose blocks show all that comes, is not checked again", async (network) => {
  await using database = await freshDatabase();
  const command = ["rescan", network, "why", "--as", "ann"];
  await expect(runRescanCommand(database, command)).rejects.toThrow(`${network} is no EVM network`);
  await expect(runRescanCommand(database, ["rescan", "eth", "why", "--as", "ann"])).rejects.toThrow(
    "ETH has no deposit addresses",
  );
});
