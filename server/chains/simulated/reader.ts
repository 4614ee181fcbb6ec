import { formatAmount } from "#contract/money.ts";
import { buildPaymentUri } from "#contract/links/payment-uri.ts";
import { memoParserOf, parseAddressOf } from "../addresses/index.ts";
import { UNPAYABLE } from "../addresses/parser.ts";
import { deriveMemo } from "../deposit-memos.ts";
import type { DepositAddress, NetworkReader } from "../port.ts";
import { deriveAddress } from "./keys.ts";
import type { SimulatedNode } from "./node.ts";
import { currentFee, type SimulatedNetwork } from "./profiles.ts";

/** A deposit address is derived synchronously. */
export interface SimulatedReader extends NetworkReader {
  depositAddress(index: bigint): DepositAddress;
}

/** The keyless side of a simulated network (`port.ts`). */
export function createSimulatedReader(node: SimulatedNode, network: SimulatedNetwork): SimulatedReader {
  const { networkTitle, seed, profile, instruments, hotAddress } = network;
  const shared = profile.hasMemos ? deriveAddress(networkTitle, seed, "deposits") : null;
  const ours = new Set([hotAddress, ...(shared === null ? [] : [shared])]);
  const parseMemo = memoParserOf(networkTitle);
  const instrumentOf = (slug: string) => {
    const found = instruments.get(slug);
    if (found === undefined) throw new Error(`${slug} is not an instrument of ${networkTitle}`);
    return found;
  };

  return {
    networkTitle,
    feeSlug: profile.coin,
    parseAddress: (text) => {
      const parsed = parseAddressOf(networkTitle, text);
      return parsed.valid && ours.has(parsed.canonical) ? UNPAYABLE : parsed;
    },
    ...(parseMemo && { parseMemo }),
    ...(profile.reserve !== undefined && {
      accountReserve: profile.reserve,
      accountExists: (address: string) => node.exists(address),
    }),
    depositAddress: (index) =>
      shared === null
        ? { address: deriveAddress(networkTitle, seed, `deposit ${index}`), memo: null }
        : { address: shared, memo: deriveMemo(`${seed}|${networkTitle}|memos`, index) },
    depositUri: (address, memo, slug, amount) => {
      const { decimals, contractAddress } = instrumentOf(slug);
      return buildPaymentUri({ networkTitle, address, memo, amount: formatAmount(amount, decimals), contractAddress });
    },
    head: () => node.head(),
    blockAt: (height) => node.blockAt(height),
    mempool: () => node.mempool(),
    estimateFee: async (slug) => currentFee(profile, instrumentOf(slug).slug, await node.feePercent()),
  };
}
