import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { keccak256, toHex } from "viem";
import * as z from "zod";
import { hexOfBase58 } from "../../../server/chains/addresses/trx.ts";
import { blockAnswer, constantAnswer, infoAnswer, refusal, transactionAnswer } from "./answers.ts";
import { TronChain, type Block, type Pace } from "./chain.ts";
import { Refused } from "./execution.ts";
import { encodeRaw, rawSchema } from "./protobuf.ts";
import { PARAMETERS } from "./state.ts";

/** What happens to one call: it passes, the line is cut before it or after it was done, or another answer is given. */
export type Fate = "pass" | "cut" | "lose answer" | { answer: unknown } | { change: (answer: unknown) => unknown };
export type Call = { path: string; body: Record<string, unknown> };

export type TronNode = {
  url: string;
  chain: TronChain;
  chainId: number;
  calls: Call[];
  /** Sets what happens to each call from now on. */
  misbehave(fate: (call: Call) => Fate): void;
  behave(): void;
  stop(): Promise<void>;
};

export type Allocation = {
  /** Sun by address. */
  coins: Record<string, bigint>;
  /** Minor units by holder, by contract. */
  tokens: Record<string, Record<string, bigint>>;
};

/** Starts a node of a chain of its own that speaks the documented `/wallet` and `/walletsolidity` calls which the driver and tronweb use. */
export async function startTronNode(allocation: Allocation, pace?: Pace): Promise<TronNode> {
  const genesis = {
    coins: byAccount(allocation.coins),
    bandwidthUsed: new Map(),
    tokens: new Map(
      Object.entries(allocation.tokens).map(([contract, balances]) => [accountOf(contract), byAccount(balances)]),
    ),
    frozen: new Set<string>(),
  };
  const chain = new TronChain(genesis, pace);
  const calls: Call[] = [];
  let fateOf: (call: Call) => Fate = () => "pass";

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    const call = { path: (request.url ?? "").slice(1), body: sent === "" ? {} : JSON.parse(sent) };
    calls.push(call);
    const fate = fateOf(call);
    if (fate === "cut") return void request.socket.destroy();
    const correct = typeof fate === "object" && "answer" in fate ? fate.answer : await answer(chain, call);
    if (fate === "lose answer") return void request.socket.destroy();
    const given = typeof fate === "object" && "change" in fate ? fate.change(structuredClone(correct)) : correct;
    response.setHeader("content-type", "application/json");
    response.end(typeof given === "string" ? given : JSON.stringify(given));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.end(JSON.stringify({ Error: String(error) })));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the node has no port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    chain,
    chainId: Number.parseInt(chain.blocks[0]?.hash.slice(-8) ?? "", 16),
    calls,
    misbehave: (fate) => {
      fateOf = fate;
    },
    behave: () => {
      fateOf = () => "pass";
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export const accountOf = (address: string): string => hexOfBase58(address).slice(2);
const byAccount = (amounts: Record<string, bigint>) =>
  new Map(Object.entries(amounts).map(([address, amount]) => [accountOf(address), amount]));

const callBody = z.object({
  owner_address: z.string(),
  contract_address: z.string(),
  function_selector: z.string(),
  parameter: z.string(),
});

async function answer(chain: TronChain, { path, body }: Call): Promise<unknown> {
  const [view, name] = path.split("/");
  const top = view === "walletsolidity" ? chain.solid : chain.head;
  const blockAt = (height: number): Block | undefined => (height <= top.height ? chain.blocks[height] : undefined);
  const answerOf = (block: Block | undefined, detail: boolean) =>
    block === undefined ? {} : blockAnswer(block, detail);
  const found = chain.find(String(body["value"]), top.height);
  switch (name) {
    case "getnowblock":
      return blockAnswer(top, true);
    case "getblock": {
      const asked = body["id_or_num"];
      return answerOf(asked === undefined ? top : blockAt(Number(asked)), body["detail"] === true);
    }
    case "getblockbynum":
      return answerOf(blockAt(Number(body["num"] ?? 0)), true);
    case "gettransactioninfobyblocknum": {
      const block = blockAt(Number(body["num"]));
      return block === undefined || block.height === 0 ? {} : block.transactions.map((_, at) => infoAnswer(block, at));
    }
    case "gettransactioninfobyid":
      return found === null ? {} : infoAnswer(found.block, found.at);
    case "gettransactionbyid": {
      const transaction = found?.block.transactions[found.at];
      return transaction === undefined ? {} : transactionAnswer(transaction);
    }
    case "gettransactionlistfrompending":
      return chain.pending.length === 0 ? {} : { txId: chain.pending.map(({ txID }) => txID) };
    case "gettransactionfrompending": {
      const waiting = chain.pending.find(({ txID }) => txID === body["value"]);
      return waiting === undefined ? {} : transactionAnswer(waiting);
    }
    case "getaccount": {
      const balance = top.state.coins.get(String(body["address"]).slice(2));
      return balance === undefined
        ? {}
        : { address: body["address"], ...(balance > 0n && { balance: Number(balance) }) };
    }
    case "getchainparameters":
      return { chainParameter: Object.entries(PARAMETERS).map(([key, value]) => ({ key, value })) };
    case "triggerconstantcontract": {
      const { owner_address, contract_address, function_selector, parameter } = callBody.parse(body);
      const selector = keccak256(toHex(function_selector)).slice(2, 10);
      return constantAnswer(top.state, owner_address.slice(2), contract_address.slice(2), selector + parameter);
    }
    case "broadcasttransaction":
      return broadcast(chain, body);
    default:
      return { Error: `class java.lang.UnsupportedOperationException : ${path}` };
  }
}

async function broadcast(chain: TronChain, body: Record<string, unknown>): Promise<unknown> {
  const raw = rawSchema.parse(body["raw_data"]);
  const [signature = ""] = z.array(z.string()).parse(body["signature"]);
  try {
    return { result: true, txid: await chain.accept(raw, signature) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusal(error, createHash("sha256").update(encodeRaw(raw)).digest("hex"));
  }
}
