import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { readWaiting, wouldAccept } from "./mempool.ts";
import { BitcoinRpcError, type BitcoinRpc } from "./rpc.ts";

/** A node that answers everything with the same; an error is thrown. */
const nodeSaying = (said: unknown): BitcoinRpc => ({
  call: async <Answer>(_method: string, _params: unknown[], answer: z.ZodType<Answer>) => {
    if (said instanceof Error) throw said;
    return answer.parse(said);
  },
});

const packages = { ancestorsize: 350, descendantsize: 200 };
const core = {
  ...packages,
  vsize: 150,
  fees: { base: "0.00001500", modified: "0.00001500", ancestor: "0.00001700", descendant: "0.00009500" },
};
const dogecoin = {
  ...packages,
  size: 150,
  fee: "0.00001500",
  modifiedfee: "0.00001500",
  ancestorfees: 1_700,
  descendantfees: 9_500,
};

describe("what waits in the mempool", () => {
  it.each([
    ["Bitcoin Core", core],
    ["Dogecoin Core", dogecoin],
  ])("is read from %s, with what it spends and what spends it", async (_, entry) => {
    expect(await readWaiting(nodeSaying(entry), "a")).toEqual({
      own: { fee: 1_500n, size: 150n },
      parents: { fee: 200n, size: 200n },
      children: { fee: 8_000n, size: 50n },
    });
  });

  it("may be less than nothing where an operator has put it last", async () => {
    const last = { ...core, fees: { ...core.fees, ancestor: "-1.00000000", descendant: "-1.00000000" } };
    expect((await readWaiting(nodeSaying(last), "a"))?.children.fee).toBe(-100_001_500n);
  });

  it("is nothing where the node doesn't have it", async () => {
    expect(await readWaiting(nodeSaying(new BitcoinRpcError(-5, "Transaction not in mempool")), "a")).toBeNull();
    await expect(readWaiting(nodeSaying(new BitcoinRpcError(-28, "Loading")), "a")).rejects.toThrow("Loading");
  });
});

describe("a test of signed bytes", () => {
  it("says what the node says, and is passed where the node knows no such test", async () => {
    expect(await wouldAccept(nodeSaying([{ allowed: true }]), "00")).toBe(true);
    expect(await wouldAccept(nodeSaying([{ allowed: false }]), "00")).toBe(false);
    expect(await wouldAccept(nodeSaying(new BitcoinRpcError(-32_601, "Method not found")), "00")).toBe(true);
    await expect(wouldAccept(nodeSaying(new BitcoinRpcError(-28, "Loading")), "00")).rejects.toThrow("Loading");
  });
});
