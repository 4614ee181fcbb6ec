import { createSandboxMarket } from "../../../server/rates/market/sandbox.ts";
import { tronDepositXpub } from "../../../server/chains/tron/keys.ts";
import { CHANGENOW_KEY, ChangeNowServer } from "../../support/partners/changenow-server.ts";
import { startTronNode } from "../../support/tron-node/node.ts";

const MNEMONIC = "test test test test test test test test test test test junk";
const BLOCK_MS = 3_000;
/** In percent of the market: a partner wins with it, and it is not refused as too good. */
const RATE_PERCENT = 102n;

/** TRON as a network on which the treasury has no wallet, so that only a partner pays there; for ETH, up to 2,500 USD an order. */
export async function startPartnerNetwork() {
  const node = await startTronNode({ coins: {}, tokens: {} }, { blockMs: BLOCK_MS, solidLag: 1 });
  node.chain.mine(3);
  const blocks = setInterval(() => node.chain.mine(1), BLOCK_MS);
  const partner = await new ChangeNowServer().start();
  const coin = partner.coins[0];
  if (coin !== undefined) partner.coins.push({ ...coin, ticker: "trx", network: "trx", name: "trx" });
  const prices = await createSandboxMarket().read();
  const [eth, trx] = ["eth", "trx"].map((slug) => prices.get(slug)?.usd ?? 0n);
  partner.rate = String(((eth ?? 0n) * RATE_PERCENT) / ((trx ?? 1n) * 100n));
  partner.max = "1";
  return {
    env: {
      TRON_RPC_URL: node.url,
      TRON_CHAIN_ID: String(node.chainId),
      TRON_XPUB: tronDepositXpub(MNEMONIC),
      CHANGENOW_API_KEY: CHANGENOW_KEY,
      CHANGENOW_URL: partner.url,
      PARTNER_PAIRS: "eth>trx",
    },
    stop: async () => {
      clearInterval(blocks);
      await Promise.all([node.stop(), partner.stop()]);
    },
  };
}
