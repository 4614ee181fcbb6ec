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
import { bytesSchema } from "../../chains/evm/answers.ts";
import type { Rpc } from "../../chains/evm/rpc.ts";
import artifact from "./contracts/token.artifact.json" with { type: "json" };
import { DevnetError } from "./errors.ts";
import { mineAll, send } from "./sending.ts";

export type Token = { slug: string; name: string; symbol: string; decimals: number };

export const TOKENS: readonly Token[] = [
  { slug: "usdt-erc20", name: "Tether USD", symbol: "USDT", decimals: 6 },
  { slug: "usdc-erc20", name: "USD Coin", symbol: "USDC", decimals: 6 },
  { slug: "dai-erc20", name: "Dai Stablecoin", symbol: "DAI", decimals: 18 },
];

/** The deployer that stands on nearly every EVM chain, on the devnet too: the address it gives depends on the code alone. */
const CREATE2_DEPLOYER = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const SALT = numberToHex(0, { size: 32 });

/** Of each token, in whole coins, that every account of the node holds. */
const HELD_BY_EACH = 1_000_000_000n;

/** Where the tokens of a devnet are, by slug; throws when one is not there. */
export async function findTokens(rpc: Rpc, accounts: readonly Hex[]): Promise<Record<string, Hex>> {
  const contracts: Record<string, Hex> = {};
  for (const token of TOKENS) {
    const address = addressOf(creationCode(token, accounts));
    if (!(await hasCode(rpc, address)))
      throw new DevnetError(`the devnet has no ${token.slug}: its owner has not prepared it`);
    contracts[token.slug] = address;
  }
  return contracts;
}

/** Deploys the tokens that the chain does not have yet; gives the address of each by its slug. */
export async function deployTokens(rpc: Rpc, accounts: readonly Hex[], from: Hex): Promise<Record<string, Hex>> {
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

/** What makes a token: its code and, as arguments, its name and who holds how much of it. */
export function creationCode({ name, symbol, decimals }: Omit<Token, "slug">, holders: readonly Hex[]): Hex {
  const { bytecode } = artifact;
  if (!isHex(bytecode)) throw new Error("the token's artifact holds no bytecode");
  const each = HELD_BY_EACH * 10n ** BigInt(decimals);
  const parameters = parseAbiParameters("string, string, uint8, address[], uint256");
  return concatHex([bytecode, encodeAbiParameters(parameters, [name, symbol, decimals, holders, each])]);
}

const addressOf = (bytecode: Hex): Hex =>
  getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: SALT, bytecode });

async function hasCode(rpc: Rpc, address: Hex): Promise<boolean> {
  const code = await rpc.call("eth_getCode", [address, "latest"], bytesSchema);
  return isHex(code) && size(code) > 0;
}
