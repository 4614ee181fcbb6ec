import { afterEach, beforeEach, expect, it } from "vitest";
import { CardScenario } from "../../../tests/support/card/card-scenario.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";

let database: TestDatabase;
let scenario: CardScenario;
beforeEach(async () => {
  database = await freshDatabase();
  scenario = await new CardScenario(database).start();
  scenario.unpaidOrdersPerClient = 2;
});
afterEach(async () => {
  await scenario.stop();
  await database.drop();
});

const refused = { code: "ERR_BAD_REQUEST", httpStatus: 429 };

it("orders by card that nobody pays are only so many for a client, and an expired one no longer counts", async () => {
  const engine = await scenario.engine();
  for (let n = 0; n < 2; n += 1) await scenario.create(engine, scenario.body());
  const before = scenario.server.asked.length;
  await expect(scenario.create(engine, scenario.body("sell"))).rejects.toMatchObject(refused);
  expect(scenario.server.asked).toHaveLength(before);
  await scenario.create(engine, scenario.body(), { key: "192.0.2.2" });

  scenario.now = new Date(scenario.now.getTime() + 90_000_000);
  await scenario.ask(engine);
  await scenario.create(engine, scenario.body());
});

it("a paid one no longer counts, and a network has four times a client's", async () => {
  const engine = await scenario.engine();
  const inNetwork = (n: number) => ({ key: `2001:db8:0:${n}::`, network: "2001:db8::" });
  const orders = [];
  for (let n = 0; n < 8; n += 1) orders.push(await scenario.create(engine, scenario.body(), inNetwork(n)));
  await expect(scenario.create(engine, scenario.body(), inNetwork(8))).rejects.toMatchObject(refused);
  const [first] = orders;
  if (first === undefined) throw new Error("nothing was created");
  await scenario.callBack(engine, scenario.transactionOf(first), { status: "paid" });
  await scenario.create(engine, scenario.body(), inNetwork(8));
});
