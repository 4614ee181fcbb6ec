import { describe, expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { memoParserOf, parseAddressOf } from "../../chains/addresses/index.ts";
import type { NetworkReader } from "../../chains/port.ts";
import { parseDestination } from "./recipients.ts";

const CLASSIC = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
const WITH_TAG_1 = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";

/** Any chain with XRP's addresses and tags. */
class TaggedChain extends FakeChain {
  override parseAddress(text: string) {
    return parseAddressOf("XRP", text);
  }
  parseMemo(text: string) {
    return memoParserOf("XRP")?.(text) ?? { valid: false as const };
  }
}
const readers = new Map<string, NetworkReader>([["XRP", new TaggedChain()]]);
const place = (destinationAddress: string, destinationAddressMemo: string | null = null) =>
  parseDestination(
    readers,
    { networkTitle: "XRP", requiresMemo: true },
    orderBody({ destinationAddress, destinationAddressMemo }),
  );

describe("a recipient on a network with tags", () => {
  it.each([
    [CLASSIC, null, null],
    [CLASSIC, "", null],
    [CLASSIC, " 007 ", "7"],
    [WITH_TAG_1, null, "1"],
    [WITH_TAG_1, "1", "1"],
  ])("reads %s with %j as tag %j", (address, memo, tag) => {
    expect(place(address, memo)).toEqual({ address: CLASSIC, memo: tag });
  });

  it.each([
    [WITH_TAG_1, "2"],
    [CLASSIC, "4294967296"],
    [CLASSIC, "my tag"],
  ])("refuses %s with %j", (address, memo) => {
    const read = () => place(address, memo);
    expect(read).toThrow(CodedError);
    expect(read).toThrow(
      expect.objectContaining({ code: "ERR_VALIDATION", data: { destinationAddressMemo: expect.any(String) } }),
    );
  });
});
