import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { CodedError } from "#contract/errors.ts";
import { instrumentSchema } from "#contract/instrument.ts";
import { readCatalogue } from "./catalogue.ts";
import shipped from "./catalogue.json" with { type: "json" };
import {
  CatalogueError,
  feeInstrument,
  loadCatalogue,
  readAmount,
  toInstrument,
  type CatalogueInstrument,
} from "./index.ts";

type File = typeof shipped;
const edited = (edit: (file: File) => void): unknown => {
  const file = structuredClone(shipped);
  edit(file);
  return file;
};
const problemsOf = (json: unknown): readonly string[] => {
  try {
    readCatalogue(json);
  } catch (error) {
    if (error instanceof CatalogueError) return error.problems;
    throw error;
  }
  return [];
};
const find = (slug: string): CatalogueInstrument => {
  const found = readCatalogue(shipped).instruments.get(slug);
  if (!found) throw new Error(`no ${slug}`);
  return found;
};

describe("the catalogue that ships", () => {
  it("trades the Ethereum instruments and only them", () => {
    const { instruments, isPairActive } = readCatalogue(shipped);
    const active = [...instruments.values()].filter((one) => one.isActive).map((one) => one.slug);
    expect(active).toEqual(["eth", "usdt-erc20", "usdc-erc20", "dai-erc20"]);
    expect(isPairActive("eth", "usdt-erc20")).toBe(true);
    expect(isPairActive("eth", "eth")).toBe(false);
    expect(isPairActive("eth", "btc")).toBe(false);
    expect(isPairActive("eth", "nocoin")).toBe(false);
  });

  it("has the chains' own precision and waits for 3 blocks on Ethereum, 50 on Monero", () => {
    expect(["eth", "usdt-erc20", "usdc-erc20", "dai-erc20"].map((slug) => find(slug).decimals)).toEqual([18, 6, 6, 18]);
    expect(find("eth").confirmations).toBe(3);
    expect(find("xmr").confirmations).toBe(50);
  });

  it.each([
    ["BTC", 7_200],
    ["LTC", 1_800],
    ["XMR", 1_440],
    ["ETH", 144],
    ["TRX", 120],
  ])("calls %s down after twelve block intervals, and after two minutes at least", (networkTitle, seconds) => {
    expect(readCatalogue(shipped).networks.get(networkTitle)?.standstillSeconds).toBe(seconds);
  });

  it("allows a node to lag by a minute of blocks, and by two blocks at least", () => {
    const { networks } = readCatalogue(shipped);
    expect(["BTC", "ETH", "SOL"].map((title) => networks.get(title)?.lagBlocks)).toEqual([2, 5, 150]);
  });

  it("takes a network without a pace for as slow as Bitcoin, and an operator's own bounds", () => {
    const { networks } = readCatalogue(
      edited((file) => {
        Reflect.deleteProperty(file.networks.ETH, "blockSeconds");
        Object.assign(file.networks.LTC, { standstillSeconds: 5_400, lagBlocks: 1, nodesToAgree: 2 });
      }),
    );
    expect(networks.get("ETH")).toMatchObject({ blockSeconds: 600, standstillSeconds: 7_200, nodesToAgree: null });
    expect(networks.get("LTC")).toMatchObject({ standstillSeconds: 5_400, lagBlocks: 1, nodesToAgree: 2 });
  });

  it("knows the coin that pays a network's fees", () => {
    const catalogue = readCatalogue(shipped);
    expect(feeInstrument(catalogue, "ETH")?.slug).toBe("eth");
    expect(feeInstrument(catalogue, "TRX")?.slug).toBe("trx");
    expect(feeInstrument(catalogue, "ETC")).toBeNull();
  });

  it("returns instruments that fit the contract's schema", () => {
    const prices = { price: 3_120_500_000_000_000_000_000n, payoutFee: 12_000n, blockSeconds: 3, payoutSeconds: null };
    for (const one of readCatalogue(shipped).instruments.values())
      expect(z.parse(instrumentSchema, toInstrument(one, prices)).price).toBe("3120.5");
    expect(toInstrument(find("usdt-trc20"), prices)).toMatchObject({ networkStandard: "TRC20", payoutFee: "0.012" });
    expect(toInstrument(find("eth"), { ...prices, price: null, payoutFee: null })).toMatchObject({
      price: null,
      payoutFee: null,
      networkStandard: null,
    });
  });
});

describe("a deployment", () => {
  it("has its own contract addresses and confirmations, and its local networks have no explorer", () => {
    const { instruments } = readCatalogue(shipped, {
      contractAddresses: new Map([["usdt-erc20", "0x0000000000000000000000000000000000000001"]]),
      confirmations: new Map([["eth", 7]]),
      localNetworks: new Set(["ETH"]),
    });
    expect(instruments.get("usdt-erc20")?.contractAddress).toBe("0x0000000000000000000000000000000000000001");
    expect(instruments.get("usdc-erc20")?.contractAddress).toBe("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    expect(instruments.get("eth")).toMatchObject({ confirmations: 7, explorerTx: null, explorerAddress: null });
    expect(instruments.get("btc")?.explorerTx).toContain("{txId}");
  });

  it("may call the rate lock by its former name", () => {
    const file = edited(({ terms }) => {
      Reflect.deleteProperty(terms, "rateLockSeconds");
      Object.assign(terms, { fixedHoldSeconds: 900 });
    });
    expect(readCatalogue(file).terms.rateLockSeconds).toBe(900);
    expect(problemsOf(edited(({ terms }) => Reflect.deleteProperty(terms, "rateLockSeconds")))[0]).toMatch(
      /^terms\.rateLockSeconds: /,
    );
  });

  it("can set terms for one pair in one direction", () => {
    const { isPairActive, pairTerms } = readCatalogue({
      ...shipped,
      pairs: [
        { from: "eth", to: "dai-erc20", isActive: false },
        { from: "dai-erc20", to: "eth", floatingFeeBps: 80, hasFixedRate: false },
      ],
    });
    expect(isPairActive("eth", "dai-erc20")).toBe(false);
    expect(isPairActive("dai-erc20", "eth")).toBe(true);
    expect(pairTerms("dai-erc20", "eth")).toMatchObject({
      floatingFeeBps: 80n,
      fixedFeeBps: 150n,
      hasFixedRate: false,
    });
    expect(pairTerms("eth", "dai-erc20")).toMatchObject({ floatingFeeBps: 50n, hasFixedRate: true });
  });
});

describe("a catalogue that can't be used", () => {
  it("says where a value is wrong", () => {
    expect(problemsOf(edited((file) => Object.assign(file.instruments[1] ?? {}, { decimals: "6" })))).toEqual([
      expect.stringMatching(/^instruments\.1\.decimals: /),
    ]);
    expect(problemsOf(edited((file) => Object.assign(file.terms, { dustBps: -1 })))[0]).toMatch(/^terms\.dustBps: /);
  });

  it.each<[string, Parameters<typeof edited>[0]]>([
    ["pairDefaults", (file) => Object.assign(file.pairDefaults, { fixedFeeBsp: 150 })],
    ["terms", (file) => Object.assign(file.terms, { unpaidExpireAfter: 60 })],
    ["networks.ETH", (file) => Object.assign(file.networks["ETH"] ?? {}, { confirmation: 30 })],
    ["networks.ETH.caps", (file) => Object.assign(file.networks["ETH"] ?? {}, { caps: { maxFeePerGasGewi: 9 } })],
    ["instruments.1", (file) => Object.assign(file.instruments[1] ?? {}, { minUSD: "5" })],
    ["limitsUsd", (file) => Object.assign(file.limitsUsd, { fixdMax: "9" })],
    ["", (file) => Object.assign(file, { limitUsd: {} })],
  ])("refuses a misspelt name in %s, whose rule would be the usual one unnoticed", (path, edit) => {
    expect(problemsOf(edited(edit))[0]).toMatch(new RegExp(`^${path.replaceAll(".", "\\.")}: has unknown fields: `));
  });

  it("refuses a rate lock that is set by its name and by its former one", () => {
    const problems = problemsOf(edited((file) => Object.assign(file.terms, { fixedHoldSeconds: 900 })));
    expect(problems[0]).toMatch(/^terms: .*fixedHoldSeconds/);
  });

  it("refuses limits that contradict each other", () => {
    const problems = problemsOf(edited((file) => Object.assign(file.limitsUsd, { max: "1" })));
    expect(problems).toEqual(["limitsUsd: must be min ≤ fixedMax ≤ max"]);
  });

  it.each(["Te\u202Eteh", "Tether\u200B", "Tether\n", "\uFEFFTether"])("refuses the name %j", (name) => {
    const isRefused = (edit: Parameters<typeof edited>[0]) =>
      expect(problemsOf(edited(edit))[0]).toContain("visible characters");
    isRefused((file) => Object.assign(file.instruments[1] ?? {}, { currencyFriendlyTitle: name }));
    isRefused((file) => Object.assign(file.networks["ETH"] ?? {}, { friendlyTitle: name }));
  });

  it("refuses one slug for two instruments", () => {
    expect(problemsOf(edited((file) => Object.assign(file.instruments[4] ?? {}, { slug: "eth" })))).toContain(
      'instruments.4.slug: "eth" is the slug of another instrument too',
    );
  });

  it("refuses one coin on one network twice", () => {
    expect(
      problemsOf(
        edited((file) => Object.assign(file.instruments[4] ?? {}, { currencyTitle: "ETH", networkTitle: "ETH" })),
      ),
    ).toContain("instruments.4: ETH on ETH is there twice");
  });

  it("refuses slugs whose pairs can be read in two ways", () => {
    // "a-b-c" is a to b-c, and a-b to c
    const slugs = ["a", "b-c", "a-b", "c"];
    const json = edited((file) => slugs.forEach((slug, at) => Object.assign(file.instruments[at + 4] ?? {}, { slug })));
    expect(problemsOf(json)).toContain('instruments: the pair "a-b-c" can be read in two ways');
  });

  it("refuses names that it does not know", () => {
    const json = edited((file) => {
      Object.assign(file.instruments[0] ?? {}, { networkTitle: "ETC" });
      Object.assign(file, { pairs: [{ from: "eth", to: "nocoin" }] });
      file.defaultPair.to = "nothing";
    });
    expect(problemsOf(json)).toEqual([
      'instruments.0.networkTitle: "ETC" is not among the networks',
      'pairs.0.to: "nocoin" is no instrument',
      'defaultPair.to: "nothing" is no instrument',
    ]);
  });

  it("names the file, also when it is no JSON", async () => {
    const folder = await mkdtemp(join(tmpdir(), "catalogue-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "mine.json");
    await writeFile(path, JSON.stringify(edited((file) => (file.defaultPair.to = "nothing"))));
    await expect(loadCatalogue({}, path)).rejects.toThrow(`${path}: defaultPair.to: "nothing" is no instrument`);
    await expect(loadCatalogue({}, join(folder, "none.json"))).rejects.toThrow(CatalogueError);
    await writeFile(path, "{");
    await expect(loadCatalogue({}, path)).rejects.toThrow(path);
  });

  it("names the variable that says which file is read", () => {
    expect(() => readCatalogue(edited((file) => (file.defaultPair.to = "nothing")))).toThrow(/CATALOGUE_FILE/);
  });

  it("has the instrument that earnings are counted in", () => {
    const named = edited((file) => Object.assign(file.terms, { earningsSlug: "usdt-trc-20" }));
    expect(problemsOf(named)).toEqual(['terms.earningsSlug: "usdt-trc-20" is no instrument']);
  });

  it.each(["eth", "usd"])("counts earnings in a coin that is worth a dollar, not in %s", (earningsSlug) => {
    const named = edited((file) => Object.assign(file.terms, { earningsSlug }));
    expect(problemsOf(named)).toEqual([
      `terms.earningsSlug: "${earningsSlug}" is not USDT or USDC or DAI; its sums and smallest withdrawal are dollars`,
    ]);
  });

  it.each(["usdt-erc20", "usdc-erc20", "dai-erc20"])("counts earnings in %s", (earningsSlug) => {
    expect(problemsOf(edited((file) => Object.assign(file.terms, { earningsSlug })))).toEqual([]);
  });
});

describe("an amount of an instrument", () => {
  it("is read in minor units", () => {
    expect(readAmount(find("usdt-erc20"), "12.5", "amount")).toBe(12_500_000n);
  });

  it.each(["0", "0.000000", "0.0000001", "1e3", "-1", "", "01"])("%j is refused at its field", (text) => {
    const read = () => readAmount(find("usdt-erc20"), text, "claimedDepositAmount");
    expect(read).toThrow(CodedError);
    expect(read).toThrow(
      expect.objectContaining({ code: "ERR_VALIDATION", data: { claimedDepositAmount: expect.any(String) } }),
    );
  });
});
