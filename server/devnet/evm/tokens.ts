import {
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  isHex,
  numberToHex,
  parseAbiParameters,
  size,
  type Hex,
} from "viem";
import { powerOfTen } from "#contract/money.ts";
import { decodeBalanceOf, encodeBalanceOf } from "../../chains/evm/erc20.ts";
import type { EvmRpc } from "../../chains/evm/rpc.ts";
import { bytesSchema, quantitySchema } from "../../chains/evm/schemas.ts";
import { DevnetError } from "./anvil.ts";
import artifact from "./contracts/token.artifact.json" with { type: "json" };
import { mineAll, send, sendTransfer } from "./transactions.ts";

/** @internal Exported for its tests. */
export type Token = { slug: string; name: string; symbol: string; decimals: number };

const TOKENS: readonly Token[] = [
  { slug: "usdt-erc20", name: "Tether USD", symbol: "USDT", decimals: 6 },
  { slug: "usdc-erc20", name: "USD Coin", symbol: "USDC", decimals: 6 },
  { slug: "dai-erc20", name: "Dai Stablecoin", symbol: "DAI", decimals: 18 },
];

/** The deployer that exists on nearly every EVM chain, also on the devnet: the address of a contract depends on its code alone. */
const CREATE2_DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const SALT = numberToHex(0, { size: 32 });

/** Of each token, in whole coins, that every account of the node holds. */
const INITIAL_BALANCE = 1_000_000_000n;

/** Where the tokens of a devnet are, by slug; throws when one is not there. */
export async function findTokens(rpc: EvmRpc, accounts: readonly Hex[]): Promise<Record<string, Hex>> {
  const contracts: Record<string, Hex> = {};
  for (const token of TOKENS) {
    const address = addressOf(creationCode(token, accounts));
    if (!(await hasCode(rpc, address)))
      throw new DevnetError(`the devnet has no ${token.slug}: its worker has not deployed it`);
    contracts[token.slug] = address;
  }
  return contracts;
}

/** Deploys the tokens that the chain does not have yet; gives the address of each by its slug. */
export async function deployTokens(rpc: EvmRpc, accounts: readonly Hex[], from: Hex): Promise<Record<string, Hex>> {
  const contracts: Record<string, Hex> = {};
  const sent: string[] = [];
  for (const token of TOKENS) {
    const code = creationCode(token, accounts);
    const address = addressOf(code);
    contracts[token.slug] = address;
    if (!(await hasCode(rpc, address)))
      sent.push(await send(rpc, { from, to: CREATE2_DEPLOYER, data: concatHex([SALT, code]) }));
  }
  await mineAll(rpc, sent);
  for (const [slug, address] of Object.entries(contracts))
    if (!(await hasCode(rpc, address))) throw new Error(`${slug} could not be deployed on the devnet`);
  return contracts;
}

/**
 * The creation code of a token: its code and, as arguments, its name and the holders' balances.
 *
 * @internal Exported for its tests.
 */
export function creationCode({ name, symbol, decimals }: Omit<Token, "slug">, holders: readonly Hex[]): Hex {
  const { bytecode } = artifact;
  if (!isHex(bytecode)) throw new Error("the token's artifact holds no bytecode");
  const each = INITIAL_BALANCE * powerOfTen(decimals);
  const parameters = parseAbiParameters("string, string, uint8, address[], uint256");
  return concatHex([bytecode, encodeAbiParameters(parameters, [name, symbol, decimals, holders, each])]);
}

const addressOf = (bytecode: Hex): Hex =>
  getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: SALT, bytecode });

async function hasCode(rpc: EvmRpc, address: Hex): Promise<boolean> {
  const code = await rpc.call("eth_getCode", [address, "latest"], bytesSchema);
  return isHex(code) && size(code) > 0;
}

/** Twice what the treasury needs, so that half of it, below which it is filled up, is still 1,000,000 USD of each asset. */
const TOKEN_TARGET = 2_000_000n;
const NATIVE_TARGET = 4_000n * 10n ** 18n;

/** Fills the treasury's wallet with real transactions where it holds less than half of what it should; says whether it had to. */
export async function fundTreasury(rpc: EvmRpc, contracts: Record<string, Hex>, from: Hex, to: Hex): Promise<boolean> {
  const wanted = [
    { contract: null, target: NATIVE_TARGET },
    ...TOKENS.map(({ slug, decimals }) => ({
      contract: contracts[slug] ?? null,
      target: TOKEN_TARGET * powerOfTen(decimals),
    })),
  ];
  const sent: string[] = [];
  for (const { contract, target } of wanted) {
    const balance = await balanceOf(rpc, contract, to);
    if (balance < target / 2n) sent.push(await sendTransfer(rpc, { from, to, contract, amount: target - balance }));
  }
  await mineAll(rpc, sent);
  return sent.length > 0;
}

async function balanceOf(rpc: EvmRpc, contract: Hex | null, owner: Hex): Promise<bigint> {
  if (contract === null) return rpc.call("eth_getBalance", [owner, "latest"], quantitySchema);
  const data = await rpc.call("eth_call", [{ to: contract, data: encodeBalanceOf(owner) }, "latest"], bytesSchema);
  return decodeBalanceOf(data as Hex);
}
