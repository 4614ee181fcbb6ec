import { randomBytes } from "node:crypto";
import { encodeAbiParameters, encodeFunctionData, getAddress, numberToHex, parseAbi, type Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createEvmNetwork, createEvmWallet } from "../../server/chains/evm/network.ts";
import { encodeTransfer } from "../../server/chains/evm/erc20.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { EVM_CAPS } from "../support/chains/evm-caps.ts";
import { createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { compileContracts, deploy } from "./support/contracts.ts";
import { hex, startEvmSetup, type EvmSetup } from "./support/evm.ts";

const CUSTOMER = 2;
const LIES = 0;
const SAYS_NO = 1;
const TAKES_A_FEE = 2;
const client = { key: "c", traceId: "t" };
const codeOf = compileContracts();

let setup: EvmSetup;
let customer: Hex;
let database: TestDatabase;

beforeAll(async () => {
  setup = await startEvmSetup();
  await setup.devnet.setPaused(true);
  customer = setup.accounts[CUSTOMER] as Hex;
});
afterAll(() => setup.end());
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const newAddress = () => getAddress(`0x${randomBytes(20).toString("hex")}`);
const send = (request: { to: Hex; data: Hex }) =>
  setup.ask("eth_sendTransaction", [{ from: customer, gas: numberToHex(200_000), ...request }], hex);

type Scenario = { token: Hex; testEngine: TestEngine; blocks(count: number): Promise<void> };

/** The exchange with a token of that kind as its USDT, of which the customer and the hot wallet have plenty. */
async function withToken(mode: number): Promise<Scenario> {
  const argument = encodeAbiParameters([{ type: "uint8" }], [mode]);
  const token = await deploy(setup, customer, `${codeOf("HostileToken")}${argument.slice(2)}`);
  const fund = parseAbi(["function fund(address to)"]);
  await send({ to: token, data: encodeFunctionData({ abi: fund, args: [setup.keys.hotAddress as Hex] }) });
  await setup.devnet.mine(1);
  const options = setup.options();
  const instruments = options.instruments.map((one) =>
    one.slug === "usdt-erc20" ? { ...one, contractAddress: token } : one,
  );
  const testEngine = await createTestEngine({
    database,
    reader: createEvmNetwork({ ...options, instruments, xpub: setup.keys.xpub }),
    wallet: createEvmWallet({ ...options, instruments, mnemonic: setup.keys.mnemonic, caps: EVM_CAPS }),
    contractAddresses: new Map([["usdt-erc20", token]]),
  });
  await database.pool.query("update first_deposit_index set value = $1", [Date.now() % 2 ** 30]);
  await testEngine.settle();
  const blocks = async (count: number) => {
    for (let mined = 0; mined < count; mined += 1) {
      await setup.devnet.mine(1);
      await testEngine.settle();
    }
  };
  return { token, testEngine, blocks };
}

const fromToken = () =>
  orderBody({
    destinationAddress: newAddress(),
    instrumentFrom: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
    instrumentTo: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
    claimedDepositAmount: "900",
  });
const deposits = () => database.kysely.selectFrom("deposits").select(["amount", "review_reason"]).execute();
const credited = () =>
  database.kysely.selectFrom("deposits").select("amount").where("credited_at", "is not", null).execute();
const payouts = () => database.kysely.selectFrom("payouts").select(["state", "review_reason"]).execute();

describe("a deposit of a token", () => {
  it("that moves less than its event says is reviewed, and so is what follows it", async () => {
    const { token, testEngine, blocks } = await withToken(LIES);
    const { depositAddress } = await testEngine.engine.orderService.create(fromToken(), client);
    for (let paid = 0; paid < 2; paid += 1) {
      await send({ to: token, data: encodeTransfer(depositAddress as Hex, 900_000_000n) });
      await blocks(1);
    }
    await blocks(5);
    const held = { amount: 900_000_000n, review_reason: "less_than_reported" };
    expect(await deposits()).toEqual([held, held]);
    expect(await credited()).toEqual([]);
    expect(await payouts()).toEqual([]);
  });

  it("that takes a fee and says so is credited with what arrived", async () => {
    const { token, testEngine, blocks } = await withToken(TAKES_A_FEE);
    const { depositAddress } = await testEngine.engine.orderService.create(fromToken(), client);
    await send({ to: token, data: encodeTransfer(depositAddress as Hex, 1_000_000_000n) });
    await blocks(6);
    expect(await credited()).toEqual([{ amount: 900_000_000n }]);
  });

  it("that says no is none", async () => {
    const { token, testEngine, blocks } = await withToken(SAYS_NO);
    const { depositAddress } = await testEngine.engine.orderService.create(fromToken(), client);
    await send({ to: token, data: encodeTransfer(depositAddress as Hex, 900_000_000n) });
    await blocks(2);
    expect(await deposits()).toEqual([]);
  });
});

describe("a payout in a token", () => {
  it.each([
    ["says no without failing", SAYS_NO, "failed_on_chain"],
    ["takes a fee", TAKES_A_FEE, "paid_in_part"],
  ])("that %s is reviewed: the customer did not get what was promised", async (_, mode, reason) => {
    const { testEngine, blocks } = await withToken(mode);
    const body = orderBody({ destinationAddress: newAddress() });
    const { depositAddress } = await testEngine.engine.orderService.create(body, client);
    await setup.devnet.pay({ to: depositAddress, slug: "eth", amount: 5n * 10n ** 17n });
    await blocks(8);
    expect(await payouts()).toEqual([{ state: "review", review_reason: reason }]);
  });
});
