import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { chainOf } from "../../server/chains/bitcoin/chain-params.ts";
import { depositXpub } from "../../server/chains/bitcoin/keys.ts";
import { openNetworks, type OpenNetwork } from "../../server/chains/open-networks.ts";
import { bitcoinDevnet, type BitcoinDevnet } from "../../server/devnet/bitcoin/controls.ts";
import { log } from "./support/evm.ts";
import { MNEMONIC, startLitecoinSetup, type LitecoinSetup } from "./support/litecoin.ts";
import { startRpcProxy, type RpcProxy } from "./support/rpc-proxy.ts";

const COIN = 10n ** 8n;
/** Far below the driver's own limit, which a node that hangs would otherwise cost. */
const QUICK_MS = 3_000;

let setup: LitecoinSetup;
let devnet: BitcoinDevnet;
let proxies: [RpcProxy, RpcProxy];
let network: OpenNetwork;

beforeAll(async () => {
  setup = await startLitecoinSetup();
  const direct = new URL(setup.node.rpcUrl);
  const target = new URL(setup.node.rpcUrl);
  target.username = "";
  target.password = "";
  const through = async () => startRpcProxy(target.href);
  proxies = [await through(), await through()];
  const [rpcUrl = "", ...otherRpcUrls] = proxies.map((proxy) => {
    const url = new URL(proxy.rpcUrl);
    return Object.assign(url, { username: direct.username, password: direct.password }).href;
  });
  const catalogue = await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) });
  const node = { rpcUrl, otherRpcUrls, xpub: depositXpub(chainOf("LTC", "regtest"), MNEMONIC), mnemonic: MNEMONIC };
  const nodes = { evm: null, monero: null, tron: null, bitcoin: new Map([["LTC", node]]), isRegtest: true };
  const [opened] = openNetworks(nodes, catalogue, log);
  if (opened === undefined) throw new Error("Litecoin is open");
  network = opened;
  devnet = bitcoinDevnet({ networkTitle: "LTC", rpcUrl: setup.node.rpcUrl });
  await devnet.initialise(network.wallet?.hotAddress() ?? "");
});
beforeEach(() => {
  for (const proxy of proxies) proxy.behave();
});
afterAll(async () => {
  for (const proxy of proxies ?? []) await proxy.stop();
  await setup?.end();
});

describe("Litecoin over two nodes", () => {
  it("reads and pays over both, and over the other one while one hangs, without waiting for it again", async () => {
    const { reader, wallet } = network;
    if (wallet === null) throw new Error("there is a wallet");
    expect((await reader.head()).height).toBe(await devnet.height());
    expect(await reader.mempool?.(async () => 3n)).toEqual([]);
    expect(await wallet.hotBalance("ltc")).toBeGreaterThan(11_000n * COIN);

    proxies[0].misbehave(() => ({ kind: "lose answer" }));
    await reader.head();
    const startedAt = performance.now();
    const { address } = await reader.depositAddress(3n);
    const payment = { slug: "ltc", toAddress: address, toMemo: null, amount: COIN };
    const prepared = await wallet.prepare(payment, await wallet.chooseHandle(payment, []));
    expect(await wallet.broadcast(prepared)).toEqual({ kind: "accepted" });
    expect(await reader.mempool?.(async () => 3n)).toMatchObject([{ txId: prepared.txId, toAddress: address }]);
    await devnet.mine(1);
    const { height } = await reader.head();
    expect((await reader.blockAt(height))?.transfers.map(({ txId }) => txId)).toContain(prepared.txId);
    expect(await wallet.lookup(prepared.txId)).toMatchObject({ kind: "mined", height });
    expect(performance.now() - startedAt).toBeLessThan(4 * QUICK_MS);
  });

  it("shows no block that the other one does not show", async () => {
    const { reader } = network;
    await expect.poll(async () => (await reader.head()).height, { timeout: 60_000 }).toBe(await devnet.height());
    const before = await devnet.height();
    proxies[0].misbehave(({ method, params }) =>
      method === "getblockhash" && params[0] === before + 1
        ? { kind: "answer", body: { result: null, error: { code: -8, message: "Block height out of range" } } }
        : { kind: "pass" },
    );
    await devnet.mine(1);
    // Once the first node counts again after the fault before.
    await expect.poll(() => reader.blockAt(before + 1), { timeout: 90_000, interval: 500 }).toBeNull();
    proxies[0].behave();
    expect(await reader.blockAt(before + 1)).toMatchObject({ height: before + 1 });
  });
});
