import { blockRefSchema, type TronBlockRef } from "./answers.ts";
import type { TronHttp } from "./http.ts";

/** The block of a height among those that two thirds of the producers have built on; null while there is none. */
export async function readSolidRef(http: TronHttp, height: number): Promise<TronBlockRef | null> {
  const ref = await http.call("walletsolidity/getblock", { id_or_num: `${height}`, detail: false }, blockRefSchema);
  if (ref !== null && ref.height !== height) throw new Error(`the node answered block ${ref.height} for ${height}`);
  return ref;
}

/** The newest block that is final. */
export async function readSolidHead(http: TronHttp): Promise<TronBlockRef> {
  const head = await http.call("walletsolidity/getblock", { detail: false }, blockRefSchema);
  if (head === null) throw new Error("the node has no solidified block");
  return head;
}

/** Asks the node once which chain it serves; until it has given the right answer, every call asks again. */
export function checkTronChainOnce(http: TronHttp, chainId: number): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    const genesis = await readSolidRef(http, 0);
    if (genesis === null) throw new Error("the node has no first block");
    // A chain is called by the last four bytes of its first block, as in CAIP-2 and eth_chainId.
    const answered = Number.parseInt(genesis.hash.slice(-8), 16);
    if (answered !== chainId) throw new Error(`the node serves chain ${answered}, not ${chainId}`);
    isChecked = true;
  };
}
