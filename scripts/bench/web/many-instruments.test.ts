import { expect, it } from "vitest";
import { instrumentsSchema, type Instrument } from "#contract/instrument.ts";
import { manyInstruments, pairsOf } from "./many-instruments.ts";

const real: Instrument = {
  currencyTitle: "ETH",
  networkTitle: "ETH",
  slug: "eth",
  bestChangeName: null,
  coinstatValue: null,
  price: "3000",
  currencyLogoLink: null,
  currencyFriendlyTitle: "Ethereum",
  networkFriendlyTitle: "Ethereum",
  instrumentType: "other",
  requiresMemo: false,
  precisionDecimals: 18,
  contractAddress: null,
  isPopular: true,
  explorerTx: null,
  explorerAddress: null,
  confirmations: 3,
  networkStandard: null,
  payoutFee: null,
  blockSeconds: null,
  payoutSeconds: null,
};

it("makes as many instruments as asked for, each one that the contract takes and none twice", () => {
  const all = manyInstruments([real], 2_000);
  expect(instrumentsSchema.safeParse(all).success).toBe(true);
  expect(new Set(all.map(({ slug }) => slug)).size).toBe(2_000);
  expect(all[0]).toEqual(real);
  const [pair] = pairsOf([real], all);
  expect(pair?.from).toBe("eth");
  expect(pair?.to).toHaveLength(1_999);
});
