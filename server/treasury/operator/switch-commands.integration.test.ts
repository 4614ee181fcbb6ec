import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { OperatorError } from "../../admin/audit.ts";
import { runSwitchCommand } from "./switch-commands.ts";
import { createSwitches } from "../balances/switches.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
});
afterAll(() => database.drop());

const say = (...words: string[]) =>
  runSwitchCommand(createSwitches(database), (scope) => ["ETH", "eth", "usdt-erc20"].includes(scope), words);
const actions = () =>
  database.kysely
    .selectFrom("operator_actions")
    .select(["operator", "action", "subject", "reason", "before", "after"])
    .orderBy("id")
    .execute();

it("an operator stops a part of the service and releases it", async () => {
  expect(await say("status")).toBe("refund-only: off\nnothing is stopped");
  expect(await say("stop", "pay", "usdt-erc20", "from", "a", "check", "--as", "ann")).toMatch(
    /^refund-only: off\nstopped: pay usdt-erc20 from \(a check\), by ann since \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
  );
  const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };
  expect(await createSwitches(database).stoppedNow("pay", usdt, "from")).toBe("a check");
  expect(await createSwitches(database).stoppedNow("pay", usdt, "to")).toBeNull();
  expect(await say("release", "pay", "usdt-erc20", "from", "checked", "--as", "bob")).toContain("nothing is stopped");
  expect(await actions()).toEqual([
    {
      operator: "ann",
      action: "stop",
      subject: "pay usdt-erc20 from",
      reason: "a check",
      before: { stopped: null },
      after: { stopped: "a check" },
    },
    {
      operator: "bob",
      action: "release",
      subject: "pay usdt-erc20 from",
      reason: "checked",
      before: { stopped: "a check" },
      after: { stopped: null },
    },
  ]);
});

it("what one operator has stopped is not taken over by another, whose release would end it", async () => {
  const own = await freshDatabase();
  onTestFinished(() => own.drop());
  const say = (text: string) => runSwitchCommand(createSwitches(own), (scope) => scope === "ETH", text.split(" "));
  await say("stop pay ETH both maintenance --as ann");
  await expect(say("stop pay ETH both a check --as bob")).rejects.toThrow("stopped already (maintenance), by ann");
  await expect(say("refund-only off done --as bob")).rejects.toThrow("off already");
  await say("refund-only on counting --as ann");
  await expect(say("refund-only on a check --as bob")).rejects.toThrow("on already (counting), by ann");
  expect(await say("status")).toMatch(
    /^refund-only: on \(counting\), by ann.+\nstopped: pay ETH both \(maintenance\), by ann/,
  );
  const recorded = await own.kysely.selectFrom("operator_actions").select("operator").execute();
  expect(recorded).toEqual([{ operator: "ann" }, { operator: "ann" }]);
});

it("a network or an instrument is named in any case; where both are called alike, its exact case decides", async () => {
  await using own = await freshDatabase();
  const stop = (scope: string) =>
    runSwitchCommand(createSwitches(own), (one) => ["ETH", "eth", "usdt-erc20"].includes(one), [
      "stop",
      "pay",
      scope,
      "both",
      "why",
      "--as",
      "ann",
    ]);
  for (const scope of ["Eth", "eth", "USDT-ERC20"]) await stop(scope);
  const scopes = (await createSwitches(own).list()).map((one) => one.scope);
  expect(scopes.toSorted()).toEqual(["ETH", "eth", "usdt-erc20"]);
});

it("refund-only mode is switched and listed, and outlives a process", async () => {
  expect(await say("refund-only", "on", "the", "vault", "is", "counted", "--as", "ann")).toMatch(
    /^refund-only: on \(the vault is counted\), by ann since \d{4}-\d\d-\d\d \d\d:\d\d UTC\nnothing else is stopped$/,
  );
  expect(await createSwitches(database).refundOnlyNow()).toBe("the vault is counted");
  expect(await say("refund-only", "off", "done", "--as", "ann")).toContain("refund-only: off");
  expect((await actions()).slice(-2)).toMatchObject([
    { action: "refund-only", reason: "the vault is counted", after: { refundOnly: "the vault is counted" } },
    {
      action: "refund-only",
      reason: "done",
      before: { refundOnly: "the vault is counted" },
      after: { refundOnly: null },
    },
  ]);
});

it.each([
  [[], "npm run admin -- status"],
  [["stop", "pay"], "npm run admin -- status"],
  [["stop", "all", "*", "both", "why"], "npm run admin -- status"],
  [["refund-only"], "npm run admin -- status"],
  [["refund-only", "on", "--as", "ann"], "Give a reason"],
  [["refund-only", "on", "why"], "--as NAME"],
  [["refund-only", "off", "why"], "--as NAME"],
  [["stop", "pay", "*", "both", "--as", "ann"], "Give a reason"],
  [["stop", "pay", "*", "both", "why"], "--as NAME"],
  [["stop", "pay", "usdc", "both", "why", "--as", "ann"], "neither a network nor an instrument"],
  [["release", "pay", "*", "both", "why"], "--as NAME"],
  [["release", "pay", "*", "both", "why", "--as", "ann"], "not stopped"],
])("an invalid command changes nothing: %j", async (words, answer) => {
  await expect(say(...words)).rejects.toThrow(answer);
  await expect(say(...words)).rejects.toBeInstanceOf(OperatorError);
  expect(await say("status")).toBe("refund-only: off\nnothing is stopped");
  expect(await actions()).toHaveLength(4);
});
