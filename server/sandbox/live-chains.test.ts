import { createServer } from "node:http";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { createLog } from "../base/logging/log.ts";
import { StartupError } from "../base/processes/startup-error.ts";
import { loadCatalogue } from "../catalogue/index.ts";
import { openNetworks } from "../chains/open-networks.ts";
import type { NetworkReader } from "../chains/port.ts";
import { SIMULATED_NETWORKS } from "./networks.ts";
import { refuseLiveChains } from "./live-chains.ts";

const XPUB =
  "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
const BITCOIN_GENESIS = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";

/** A node that answers each method as the test says. */
async function nodeAnswering(answers: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const { method, id } = z.object({ method: z.string(), id: z.unknown() }).parse(JSON.parse(text));
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? null, error: null }));
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://u:p@127.0.0.1:${address.port}` : "";
}

/** As the sandbox opens them: whatever was configured, the nodes have to serve local chains. */
async function readersOf(nodes: { evm?: string[]; bitcoin?: string }) {
  const catalogue = await loadCatalogue({ simulatedNetworks: SIMULATED_NETWORKS });
  const keys = { xpub: XPUB, hotAddress: null, mnemonic: null };
  const [rpcUrl, ...otherRpcUrls] = nodes.evm ?? [];
  const readers: NetworkReader[] = [];
  openNetworks(
    {
      evm: rpcUrl === undefined ? null : { rpcUrl, otherRpcUrls, chainId: 31_337, ...keys },
      bitcoin: new Map(
        nodes.bitcoin === undefined
          ? []
          : [["BTC", { rpcUrl: nodes.bitcoin, otherRpcUrls: [], zmqUrl: null, ...keys }]],
      ),
      monero: null,
      tron: null,
      isRegtest: true,
    },
    catalogue,
    createLog({ level: "silent" }),
    (reader) => readers.push(reader),
  );
  return readers;
}

describe("the sandbox", () => {
  it.each<[string, () => Promise<{ evm?: string[]; bitcoin?: string }>]>([
    ["Ethereum's main network", async () => ({ evm: [await nodeAnswering({ eth_chainId: "0x1" })] })],
    [
      "a second node of Polygon",
      async () => ({
        evm: [await nodeAnswering({ eth_chainId: "0x89" }), await nodeAnswering({ eth_chainId: "0x89" })],
      }),
    ],
    ["Bitcoin's main network", async () => ({ bitcoin: await nodeAnswering({ getblockhash: BITCOIN_GENESIS }) })],
  ])("does not start beside %s, whatever chain was named", async (_name, nodes) => {
    const start = refuseLiveChains(await readersOf(await nodes()));
    await expect(start).rejects.toThrow(StartupError);
    await expect(start).rejects.toThrow("serves no local chain, and the sandbox is on");
  });

  it("starts while a node does not answer", async () => {
    await refuseLiveChains(await readersOf({ evm: ["http://127.0.0.1:1"] }));
  });
});
