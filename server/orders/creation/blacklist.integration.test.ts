import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { isBlacklisted } from "../../blacklist/index.ts";
import { releasePayout } from "../../treasury/operator/payouts.ts";
import { runBlacklistCommand } from "../../blacklist/operator.ts";

const HALF_ETH = 5n * 10n ** 17n;
const client = { key: "c", traceId: "t" };
const LISTED = expect.objectContaining({ code: "ERR_FORBIDDEN", message: "Client data is blacklisted" });
let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
});
afterEach(() => database.drop());

const command = (...words: string[]) => runBlacklistCommand(database, ["blacklist", ...words]);
/** The addresses of the chain of these tests are words. */
const add = (value: string) => command("add", value, "of a theft", "--as", "ann", "--as-is");
const remove = (value: string) => command("remove", value, "an error", "--as", "ann");
const create = (changes: Parameters<typeof orderBody>[0] = {}) =>
  testEngine.engine.orderService.create(orderBody(changes), client);
const orders = async () => (await database.kysely.selectFrom("orders").select("id").execute()).length;

async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
}

describe("an order is refused", () => {
  it.each([
    ["destination address", "Destination", {}],
    ["refund address", "refund", { rateMode: "FIXED", refundAddress: "refund" }],
    ["refund address at a floating rate", "refund", { refundAddress: "refund" }],
    ["email", "Ann@Mail.example", { userEmail: "ann@mail.example" }],
    ["email, tagged,", "ann@mail.example", { userEmail: "ann+2@mail.example" }],
    ["email, listed with a tag,", "ann+2@mail.example", { userEmail: "ann@mail.example" }],
    ["Gmail address, dotted,", "annlee@gmail.com", { userEmail: "Ann.Lee@googlemail.com" }],
    ["email's domain, in its own letters,", "ann@xn--bcher-kva.example", { userEmail: "ann@bücher.example" }],
  ] as const)("whose %s is blacklisted, and taken once it is not", async (_what, value, changes) => {
    await add(value);
    await expect(create(changes)).rejects.toThrow(LISTED);
    expect(await orders()).toBe(0);
    await remove(value);
    await create(changes);
    expect(await orders()).toBe(1);
  });
});

it("a refund to a blacklisted address is refused, and the order goes on", async () => {
  const { orderId } = await create();
  await add("refund");
  const request = {
    orderId,
    destinationAddress: "destination",
    refundAddress: "refund",
    refundAmount: "0",
    claimedNetworkFee: "0",
  };
  await expect(testEngine.engine.orderService.requestRefund(request)).rejects.toThrow(LISTED);
  expect((await testEngine.engine.orderService.info(orderId, "destination")).orderEvents).toHaveLength(1);
});

it.each([
  ["address", "destination"],
  ["email", "ann@mail.example"],
])(
  "a payment whose %s was blacklisted after the order was made waits in review, and is sent once the entry is removed",
  async (_what, value) => {
    await testEngine.settle();
    const { depositAddress } = await create({ userEmail: "ann@mail.example" });
    await add(value);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mine(4);
    expect(await database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute()).toEqual([
      { state: "review", review_reason: "not_authorised" },
    ]);
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);

    await remove(value);
    const payout = await database.kysely.selectFrom("payouts").select(["id", "amount"]).executeTakeFirstOrThrow();
    await releasePayout(database, { name: "ann", reason: "an error" }, payout.id);
    await mine(2);
    expect(chain.received("destination", "usdt-erc20")).toEqual([payout.amount]);
  },
);

describe("the list", () => {
  it("names each value once, with an audit row for each change", async () => {
    expect(await command("list")).toBe("nothing is listed");
    expect(await add(" 0xABC ")).toBe("0xabc is listed");
    await expect(add("0xabc")).rejects.toThrow("0xabc is already listed.");
    expect(await command("list")).toMatch(/^0xabc since \d{4}-\S+Z by ann \(of a theft\)$/);
    expect(await remove("0xAbc")).toBe("0xabc is not listed any more");
    await expect(remove("0xabc")).rejects.toThrow("0xabc is not listed.");
    expect(
      await database.kysely.selectFrom("operator_actions").select(["operator", "action", "subject"]).execute(),
    ).toEqual([
      { operator: "ann", action: "blacklist add", subject: "blacklist 0xabc" },
      { operator: "ann", action: "blacklist remove", subject: "blacklist 0xabc" },
    ]);
  });

  it("has what an address may mean on each network, and asks for no spelling of ours", async () => {
    const legacy = "3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj";
    const meant = [
      "3cdjnfdwx8m2nwuguv3nhxhxeelygmxoaj",
      "bitcoincash:ppekk7qzc3tglfxyqcnemdrpvutcdnlsxqrs7ggspj",
      "mjrsgz3uufctbtbaan38xaxvzlwre8wvw7",
    ];
    expect(await add(legacy)).toBe(meant.map((value) => `${value} is listed`).join("\n"));
    await expect(add("ppekk7qzc3tglfxyqcnemdrpvutcdnlsxqrs7ggspj")).rejects.toThrow("is already listed");
    expect(await remove(legacy)).toBe(meant.map((value) => `${value} is not listed any more`).join("\n"));
    await add("EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF");
    expect(await isBlacklisted(database.kysely, ["UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA"])).toBe(true);
  });

  it.each(["foo", "ann@", "@mail.example", "0x52908400098527886E0F7030069857D2E4169EE"])(
    "takes %s, which is neither an address nor an email, only where an operator insists",
    async (value) => {
      const given = ["add", value, "why", "--as", "ann"];
      await expect(command(...given)).rejects.toThrow("is no email and no address");
      expect(await command("list")).toBe("nothing is listed");
      expect(await command(...given, "--as-is")).toContain("is listed");
    },
  );

  it.each([[["add"]], [["add", " "]], [["forget", "0xabc"]], [["add", "x".repeat(513), "why", "--as", "ann"]]])(
    "is not changed by %j",
    async (words) => {
      await expect(command(...words)).rejects.toThrow();
      expect(await command("list")).toBe("nothing is listed");
    },
  );
});
