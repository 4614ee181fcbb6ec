import { formatAmount } from "#contract/money.ts";
import type { Api } from "../../support/http/api.ts";
import type { DevnetRpc } from "../../support/chains/devnet-rpc.ts";

type Services = { readonly api: Api; readonly chain: DevnetRpc };

/** What an address holds of a token by the chain itself, as a decimal. */
export async function balanceOf({ api, chain }: Services, slug: string, address: string): Promise<string> {
  const instruments = await api.call("instruments", { query: {} });
  const { contractAddress, precisionDecimals } = instruments.find((instrument) => instrument.slug === slug) ?? {};
  if (!contractAddress || precisionDecimals === undefined) throw new Error(`${slug} is not a token of the catalogue`);
  return formatAmount(await chain.tokenBalance(contractAddress, address), precisionDecimals);
}
