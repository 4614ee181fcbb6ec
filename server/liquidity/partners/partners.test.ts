import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CHANGENOW_KEY, ChangeNowServer } from "../../../tests/support/partners/changenow-server.ts";
import type { Fault, PartnerServer } from "../../../tests/support/partners/partner-server.ts";
import {
  SIDESHIFT_AFFILIATE,
  SIDESHIFT_SECRET,
  SideShiftServer,
} from "../../../tests/support/partners/sideshift-server.ts";
import { PartnerError, type ExchangeRequest, type LiquidityPartner, type TradedInstrument } from "../port.ts";
import { createChangeNow } from "./changenow.ts";
import { createSideShift } from "./sideshift.ts";

/** Long enough for a correct answer, short for one that never comes. */
const TIMEOUT_MS = 10_000;
const STALLED_MS = 200;
const MILLI = 10n ** 15n;

const eth: TradedInstrument = {
  slug: "eth",
  currencyTitle: "ETH",
  networkTitle: "ETH",
  decimals: 18,
  contractAddress: null,
};
const usdt: TradedInstrument = {
  slug: "usdt-erc20",
  currencyTitle: "USDT",
  networkTitle: "ETH",
  decimals: 6,
  contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
};
const xrp: TradedInstrument = {
  slug: "xrp",
  currencyTitle: "XRP",
  networkTitle: "XRP",
  decimals: 6,
  contractAddress: null,
};
const pair = { from: eth, to: usdt };

const request: ExchangeRequest = {
  pair,
  clientId: "WH-123456-1",
  amount: 500n * MILLI,
  destination: { address: "0xCustomer", memo: null },
  refund: { address: "0xWayBack", memo: null },
  userIp: "203.0.113.9",
};

type Side = {
  name: string;
  server: PartnerServer;
  partner: (timeoutMs?: number) => LiquidityPartner;
  quotePath: RegExp;
  openPath: RegExp;
  statusPath: RegExp;
  statuses: [string, string][];
};

const changeNow = new ChangeNowServer();
const sideShift = new SideShiftServer();
const sides: Side[] = [
  {
    name: "ChangeNOW",
    server: changeNow,
    partner: (timeoutMs = TIMEOUT_MS) => createChangeNow({ url: changeNow.url, apiKey: CHANGENOW_KEY, timeoutMs }),
    quotePath: /^GET exchange\/(range|estimated-amount)$/,
    openPath: /^POST exchange$/,
    statusPath: /by-id/,
    statuses: [
      ["new", "waiting"],
      ["waiting", "waiting"],
      ["confirming", "working"],
      ["exchanging", "working"],
      ["sending", "working"],
      ["verifying", "review"],
      ["failed", "returning"],
      ["refunded", "returned"],
      ["expired", "expired"],
    ],
  },
  {
    name: "SideShift",
    server: sideShift,
    partner: (timeoutMs = TIMEOUT_MS) =>
      createSideShift({
        url: sideShift.url,
        secret: SIDESHIFT_SECRET,
        affiliateId: SIDESHIFT_AFFILIATE,
        timeoutMs,
      }),
    quotePath: /^GET pair\//,
    openPath: /^POST shifts\/variable$/,
    statusPath: /^GET shifts\//,
    statuses: [
      ["waiting", "waiting"],
      ["pending", "working"],
      ["processing", "working"],
      ["settling", "working"],
      ["review", "review"],
      ["multiple", "review"],
      ["refund", "returning"],
      ["refunding", "returning"],
      ["refunded", "returned"],
      ["expired", "expired"],
    ],
  },
];

beforeAll(() => Promise.all(sides.map(({ server }) => server.start())));
afterAll(() => Promise.all(sides.map(({ server }) => server.stop())));
beforeEach(() => {
  for (const { server } of sides) {
    server.exchanges.length = 0;
    server.asked.length = 0;
    server.faults.length = 0;
    Object.assign(server, { rate: "2990", fee: "1", min: "0.01", max: "100" });
  }
  changeNow.mayList = true;
});

const openOn = async (partner: LiquidityPartner) => {
  const opening = await partner.open(request);
  if (opening.kind !== "opened") throw new Error(`not opened: ${opening.reason}`);
  return opening.exchange;
};

describe.each(sides)("$name", ({ server, partner, quotePath, openPath, statusPath, statuses }) => {
  it("quotes the amounts that it takes, to the last unit", async () => {
    const points = await partner().quote(pair, [MILLI, 500n * MILLI, 10_000n * MILLI, 200_000n * MILLI]);
    expect(points).toEqual([
      { amountFrom: 500n * MILLI, amountTo: 1_494_000_000n },
      { amountFrom: 10_000n * MILLI, amountTo: 29_899_000_000n },
    ]);
  });

  it("never rounds a sum through a binary fraction", async () => {
    Object.assign(server, { rate: "1", fee: "0", max: "100000000000" });
    const odd = 12_345_678_901_234_567n * 10n ** 12n;
    const to = { ...eth, slug: "eth2" };
    expect(await partner().quote({ from: eth, to }, [odd])).toEqual([{ amountFrom: odd, amountTo: odd }]);
  });

  it.each(["401", "403"] as const)("fails to quote where the key is refused with %s", async (fault) => {
    server.faults.push({ path: quotePath, fault });
    await expect(partner().quote(pair, [500n * MILLI])).rejects.toThrow(PartnerError);
  });

  it("does not offer a token with another contract, nor a coin that it doesn't list", async () => {
    const fake = { ...usdt, contractAddress: "0x0000000000000000000000000000000000000bad" };
    const unknown = { ...eth, currencyTitle: "IOTX", networkTitle: "IOTX" };
    expect(await partner().quote({ from: eth, to: fake }, [500n * MILLI])).toEqual([]);
    expect(await partner().quote({ from: unknown, to: usdt }, [500n * MILLI])).toEqual([]);
    expect(await partner().open({ ...request, pair: { from: eth, to: fake } })).toMatchObject({ kind: "refused" });
    expect(server.exchanges).toEqual([]);
  });

  it("opens an exchange with our refund address and our own id", async () => {
    const exchange = await openOn(partner());
    expect(exchange).toMatchObject({
      partnerId: "exchange1",
      deposit: { address: "partner-1", memo: null },
      destination: "0xCustomer",
      refund: "0xWayBack",
    });
    expect(server.exchanges).toMatchObject([
      { clientId: "WH-123456-1", refund: { address: "0xWayBack" }, destination: { address: "0xCustomer" } },
    ]);
  });

  it("passes memos on", async () => {
    const opening = await partner().open({
      ...request,
      pair: { from: xrp, to: xrp },
      amount: 5_000_000n,
      destination: { address: "rCustomer", memo: "77" },
      refund: { address: "rOurs", memo: "88" },
    });
    expect(opening.kind).toBe("opened");
    expect(server.exchanges).toMatchObject([
      { destination: { address: "rCustomer", memo: "77" }, refund: { address: "rOurs", memo: "88" } },
    ]);
  });

  it.each<[Fault, number]>([
    ["stall", 0],
    ["500", 0],
    ["429", 0],
    ["lost-reply", 1],
    ["garbage", 1],
  ])("leaves the result of an opening unknown after %s", async (fault, opened) => {
    const asking = partner(fault === "stall" ? STALLED_MS : TIMEOUT_MS);
    await asking.quote(pair, []);
    server.faults.push({ path: openPath, fault });
    expect(await asking.open(request)).toMatchObject({ kind: "unknown" });
    expect(server.exchanges).toHaveLength(opened);
  });

  it("says where an exchange is paid and whom it pays, and of which it has none", async () => {
    const opening = await partner().open({
      ...request,
      pair: { from: xrp, to: xrp },
      amount: 5_000_000n,
      destination: { address: "rCustomer", memo: "77" },
    });
    expect(opening.kind).toBe("opened");
    const { partnerId } = await openOn(partner());
    expect(await partner().addresses("exchange1")).toEqual({
      deposit: "partner-1",
      destination: "rCustomer",
      destinationMemo: "77",
    });
    expect(await partner().addresses(partnerId)).toEqual({
      deposit: "partner-2",
      destination: "0xCustomer",
      destinationMemo: null,
    });
    expect(await partner().addresses("exchange3")).toBeNull();
    server.faults.push({ path: statusPath, fault: "500" });
    await expect(partner().addresses(partnerId)).rejects.toThrow(PartnerError);
  });

  it.each<Fault>(["stall", "500", "429", "garbage"])("leaves the status unknown after %s", async (fault) => {
    const { partnerId } = await openOn(partner());
    server.faults.push({ path: statusPath, fault });
    await expect(partner(fault === "stall" ? STALLED_MS : TIMEOUT_MS).status(partnerId, pair)).rejects.toThrow(
      PartnerError,
    );
  });

  it("reports a refusal as refused", async () => {
    expect(await partner().open({ ...request, destination: { address: "", memo: null } })).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/^400 /),
    });
  });

  it.each(statuses)("reads %s as %s", async (status, kind) => {
    const { partnerId } = await openOn(partner());
    for (const held of server.exchanges) held.status = status;
    expect(await partner().status(partnerId, pair)).toMatchObject({ kind });
  });

  it("is finished only with a transaction and a sum", async () => {
    const { partnerId } = await openOn(partner());
    const done = partner().code === "changenow" ? "finished" : "settled";
    for (const held of server.exchanges) held.status = done;
    expect(await partner().status(partnerId, pair)).toEqual({ kind: "working" });
    for (const held of server.exchanges) Object.assign(held, { payoutHash: "0xpaid", delivered: "1494.0000019" });
    expect(await partner().status(partnerId, pair)).toEqual({
      kind: "finished",
      txId: "0xpaid",
      amount: 1_494_000_001n,
    });
  });

  it("does not guess at a status that its documents don't have, nor at an unknown exchange", async () => {
    const { partnerId } = await openOn(partner());
    for (const held of server.exchanges) held.status = "sublimating";
    await expect(partner().status(partnerId, pair)).rejects.toThrow("unknown status");
    await expect(partner().status("nobody", pair)).rejects.toThrow(PartnerError);
  });
});

describe("an opening with an unknown result", () => {
  const since = new Date(Date.now() - 60_000);

  it("is found at ChangeNOW by its refund address, among others to the same destination", async () => {
    const partner = sides[0]?.partner() ?? unreachable();
    await partner.open({ ...request, refund: { address: "0xOtherWayBack", memo: null } });
    changeNow.faults.push({ path: /^POST exchange$/, fault: "lost-reply" });
    await partner.open(request);
    expect(await partner.find(request, since)).toMatchObject({
      kind: "found",
      exchange: { partnerId: "exchange2", deposit: { address: "partner-2" }, refund: "0xWayBack" },
    });
    expect(await partner.find({ ...request, refund: { address: "0xNever", memo: null } }, since)).toEqual({
      kind: "absent",
    });
  });

  it("is found at ChangeNOW where it writes our refund address in another letter case", async () => {
    const partner = sides[0]?.partner() ?? unreachable();
    const ours = { ...request, refund: { address: "0xAbCdEf0000000000000000000000000000000001", memo: null } };
    await partner.open(ours);
    for (const held of changeNow.exchanges) held.refund.address = held.refund.address.toLowerCase();
    expect(await partner.find(ours, since)).toMatchObject({ kind: "found", exchange: { partnerId: "exchange1" } });
  });

  it("can't be looked up with a ChangeNOW key that may not list, nor at SideShift", async () => {
    changeNow.mayList = false;
    for (const side of sides) expect(await side.partner().find(request, since)).toEqual({ kind: "unsupported" });
  });
});

describe("what a partner receives", () => {
  it("is who the exchange is for, where it asks for that", async () => {
    await openOn(sides[1]?.partner() ?? unreachable());
    expect(sideShift.asked.at(-1)?.headers["x-user-ip"]).toBe("203.0.113.9");
  });

  it("contains no secret of another partner", async () => {
    for (const side of sides) await openOn(side.partner());
    expect(JSON.stringify(changeNow.asked)).not.toContain(SIDESHIFT_SECRET);
    expect(JSON.stringify(sideShift.asked)).not.toContain(CHANGENOW_KEY);
  });
});

const unreachable = (): never => {
  throw new Error("there is no such side");
};
