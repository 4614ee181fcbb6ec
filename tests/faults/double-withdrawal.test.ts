import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { calls } from "#contract/calls.ts";
import { failureSchema } from "#contract/errors.ts";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { base58check } from "../../server/chains/addresses/parser.ts";
import { runEarningsCommand } from "../../server/earnings/index.ts";
import { rowViolations } from "../support/checkers/row-checkers.ts";
import { eventually } from "../support/eventually.ts";
import { Api, type Reply } from "../support/http/api.ts";
import { ProcessGroup } from "../support/processes/process-group.ts";

const BY_EMAIL = { email: "ann@mail.example", password: "a long enough phrase" };
const PARALLEL = 50;
const UNIT = 1_000_000n;

let group: ProcessGroup;
beforeAll(async () => {
  group = await ProcessGroup.start({}, { hasRedis: false });
}, 300_000);
afterAll(() => group?.end());

/** One way in to the account: at one of the web processes, by its cookies or by its token alone. */
class Way {
  readonly #api: Api;
  #headers: Record<string, string> = {};

  constructor(url: string) {
    this.#api = new Api(url);
  }

  async signIn(kind: "cookies" | "token"): Promise<this> {
    const { headers } = await this.send(calls.authenticateLocal.path, BY_EMAIL);
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
    const access = cookies.find((cookie) => cookie.includes("access="))?.split("=", 2)[1] ?? "";
    this.#headers = kind === "token" ? { authorization: `Bearer ${access}` } : { cookie: cookies.join("; ") };
    return this;
  }

  send(path: string, json: unknown): Promise<Reply> {
    return this.#api.send({ path, json, headers: { origin: this.#api.url, ...this.#headers } });
  }

  async read(path: string): Promise<unknown> {
    return JSON.parse((await this.#api.send({ method: "GET", path, headers: this.#headers })).text);
  }

  withdraw(amount: string, address = randomTronAddress()): Promise<Reply> {
    return this.send(calls.createWithdrawal.path, { currencyTitle: "USDT", networkTitle: "TRX", address, amount });
  }
}

const randomTronAddress = (): string => base58check.encode(Uint8Array.of(0x41, ...randomBytes(20)));

const way = (at: number): Way => new Way(group.webs[at]?.url ?? "");

async function operatorDecides(end: "approve" | "reject", id: string, name: string): Promise<boolean> {
  const parts = { database: group.database, catalogue: await loadCatalogue() };
  try {
    await runEarningsCommand(parts, ["withdrawal", end, id, "looked", "--as", name]);
    return true;
  } catch (error) {
    // The other one was first.
    expect(String(error)).toMatch(/is (approved|rejected)|under way|not in review/);
    return false;
  }
}

async function numbers(text: string): Promise<bigint[]> {
  const { rows } = await group.database.pool.query<{ n: string }>(text);
  return rows.map(({ n }) => BigInt(n));
}

it("a wallet that is withdrawn from at two servers, by cookies and tokens, while operators decide, pays what it had", async () => {
  await way(0).send(calls.createLocal.path, BY_EMAIL);
  const ways = [
    await way(0).signIn("cookies"),
    await way(1).signIn("token"),
    await way(1).signIn("cookies"),
    await way(0).signIn("token"),
  ] as const;
  const { userId } = z.object({ userId: z.number() }).parse(await ways[0].read(calls.accountData.path));
  await new Api(group.webs[0]?.url ?? "").call("sandboxCredit", { body: { userId, amount: "1000" } });

  // Over 100 USD to a new address: an operator has to agree. 450 are held, 550 are left.
  const waiting = await Promise.all(
    ways.slice(0, 3).map(async (one) => {
      const { status, text } = await one.withdraw("150");
      expect([status, text]).toEqual([201, expect.stringContaining('"REVIEW"')]);
      const { id } = z.object({ id: z.guid() }).parse(JSON.parse(text));
      // Operators name it by its number.
      return `${(await numbers(`select id as n from withdrawals where public_id = '${id}'`))[0]}`;
    }),
  );
  const [first = "", second = "", third = ""] = waiting;

  const [answers, decided] = await Promise.all([
    Promise.all(Array.from({ length: PARALLEL }, (_, n) => (ways[n % ways.length] ?? ways[0]).withdraw("100"))),
    Promise.all([
      operatorDecides("approve", first, "bob"),
      operatorDecides("approve", first, "cat"),
      operatorDecides("approve", second, "bob"),
      operatorDecides("approve", second, "cat"),
      operatorDecides("approve", third, "bob"),
      operatorDecides("reject", third, "cat"),
    ]),
  ]);

  const taken = answers.filter(({ status }) => status === 201);
  for (const { status, text } of answers.filter((one) => !taken.includes(one)))
    expect([status, z.parse(failureSchema, JSON.parse(text)).status]).toEqual([422, "ERR_BALANCE_TOO_LOW"]);
  // Each is decided once, whoever was first; what is approved can still be rejected while nothing is signed for it.
  for (const at of [0, 2]) expect(decided.slice(at, at + 2).filter(Boolean)).toHaveLength(1);
  expect(decided.slice(4)).toContain(true);
  const returned = decided[5] ? 150n : 0n;
  const balance = 550n + returned - 100n * BigInt(taken.length);
  expect(taken.length).toBeGreaterThanOrEqual(5);
  expect(balance).toBeGreaterThanOrEqual(0n);
  if (returned === 0n) expect(taken).toHaveLength(5);
  expect(await numbers(`select balance as n from ledger_accounts where user_id = ${userId}`)).toEqual([balance * UNIT]);
  expect(await ways[0].read(calls.walletBalances.path)).toMatchObject([{ balance: `${balance}` }]);

  // What was agreed to is paid, each once; what waits is held.
  const approved = decided[5] ? [first, second] : waiting;
  await eventually("the approved withdrawals are sent", async () => {
    const sent = await numbers(
      `select withdrawal_id as n from payouts where withdrawal_id in (${approved.join(", ")}) and state in ('mined', 'final')`,
    );
    return sent.length === approved.length || null;
  });
  expect(await numbers("select count(*) as n from payouts group by withdrawal_id having count(*) > 1")).toEqual([]);
  expect(await rowViolations(group.database)).toEqual([]);
});
