import { randomBytes } from "node:crypto";
import { TronWeb } from "tronweb";
import { loadCatalogue, type Catalogue } from "../../../server/catalogue/index.ts";
import { base58OfHex } from "../../../server/chains/addresses/trx.ts";
import { tronDepositXpub, tronHotAccount } from "../../../server/chains/tron/keys.ts";
import { createTronNetwork, createTronWallet, type TronNetworkOptions } from "../../../server/chains/tron/network.ts";
import { accountOf, startTronNode, type TronNode } from "../../support/tron-node/node.ts";

export const MNEMONIC = "test test test test test test test test test test test junk";
export const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
export const FAKE_USDT = base58OfHex(`41${"22".repeat(20)}`);
export const CONFIRMATIONS = 2;

/** Far fewer blocks than the network's own take the same time. */
export const PACE = { blockMs: 30_000, solidLag: 4 };

const CUSTOMER_KEY = "11".repeat(32);
const FEE_LIMIT = 100_000_000;
const MILLION = 1_000_000_000_000n;

type Sending = { to: string; amount: bigint; contract?: string };

export type TronSetup = {
  node: TronNode;
  customer: string;
  options: TronNetworkOptions;
  network(): { reader: ReturnType<typeof createTronNetwork>; wallet: ReturnType<typeof createTronWallet> };
  /** Pays as a customer's own wallet does: with tronweb, over the node. Returns the transaction's id. */
  send(sending: Sending): Promise<string>;
  /** What an address holds in the newest block. */
  balance(address: string, contract?: string): bigint;
};

/** A node with a rich treasury and a rich customer, whose first blocks are solidified. */
export async function startTronSetup(): Promise<TronSetup> {
  const hot = tronHotAccount(MNEMONIC).address;
  const customer = String(TronWeb.address.fromPrivateKey(CUSTOMER_KEY));
  const allocation = {
    coins: { [hot]: MILLION, [customer]: MILLION },
    tokens: { [USDT]: { [hot]: MILLION, [customer]: MILLION }, [FAKE_USDT]: { [customer]: MILLION } },
  };
  const node = await startTronNode(allocation, PACE);
  node.chain.mine(2 * PACE.solidLag);
  const options: TronNetworkOptions = {
    networkTitle: "TRX",
    rpcUrl: node.url,
    solidityUrl: node.url,
    apiKey: null,
    timeoutMs: 60_000,
    chainId: node.chainId,
    instruments: [
      { slug: "trx", contractAddress: null, decimals: 6 },
      { slug: "usdt-trc20", contractAddress: USDT, decimals: 6 },
    ],
  };
  const client = new TronWeb({ fullHost: node.url, privateKey: CUSTOMER_KEY });

  const build = async ({ to, amount, contract }: Sending) => {
    if (contract === undefined) return client.transactionBuilder.sendTrx(to, Number(amount), customer);
    const parameters = [
      { type: "address", value: to },
      { type: "uint256", value: amount.toString() },
    ];
    const call = { txLocal: true, feeLimit: FEE_LIMIT };
    const { transaction } = await client.transactionBuilder.triggerSmartContract(
      contract,
      "transfer(address,uint256)",
      call,
      parameters,
      customer,
    );
    return transaction;
  };
  return {
    node,
    customer,
    options,
    network: () => ({
      reader: createTronNetwork({ ...options, xpub: tronDepositXpub(MNEMONIC), hotAddress: hot }),
      wallet: createTronWallet({ ...options, mnemonic: MNEMONIC, feeLimit: 150_000_000n }),
    }),
    send: async (sending) => {
      const { result, txid, code } = await client.trx.sendRawTransaction(await client.trx.sign(await build(sending)));
      if (!result) throw new Error(`the customer's payment was refused: ${code}`);
      return txid;
    },
    balance: (address, contract) => {
      const { coins, tokens } = node.chain.head.state;
      const held = contract === undefined ? coins : tokens.get(accountOf(contract));
      return held?.get(accountOf(address)) ?? 0n;
    },
  };
}

/** The catalogue that ships, with TRON traded. */
export const tronCatalogue = (): Promise<Catalogue> =>
  loadCatalogue({
    simulatedNetworks: new Set(["TRX"]),
    confirmations: new Map([
      ["trx", CONFIRMATIONS],
      ["usdt-trc20", CONFIRMATIONS],
    ]),
  });

export const newAddress = (): string => base58OfHex(`41${randomBytes(20).toString("hex")}`);
