import type { FastifyInstance } from "fastify";
import {
  type AnswerOf,
  type BodyOf,
  type Call,
  type ParamsOf,
  sandboxCalls,
  type SandboxCallName,
} from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { formatAmount, parseAmount } from "#contract/money.ts";
import type { SandboxNetworkCommand } from "#contract/sandbox.ts";
import { PRICE_DECIMALS, readAmount, requireInstrument, type Catalogue } from "../catalogue/index.ts";
import type { MovableClock } from "../base/clock.ts";
import type { ListedMail } from "../notifications/port.ts";
import type { OrderService } from "../orders/port.ts";
import { addSandboxProviderApi, type SandboxApiParts } from "./mercuryo/api.ts";
import { addSandboxProviderPages } from "./mercuryo/pages.ts";
import type { SandboxAccess } from "./access.ts";
import { addSandboxPage } from "./page.ts";
import type { SandboxNetwork, SandboxNetworks } from "./port.ts";

export type SandboxParts = {
  access: SandboxAccess;
  orderService: Pick<OrderService, "depositTarget">;
  catalogue: Catalogue;
  networks: SandboxNetworks;
  clock: Pick<MovableClock, "advance" | "offsetSeconds">;
  /** Sets a market price, a USD decimal; it stays. */
  setPrice: (slug: string, price: string) => Promise<void>;
  /** Reads all prices again at once. */
  takePrices: () => Promise<unknown>;
  /** Credits a wallet in minor units; what it holds then, or null where there is no such account. */
  credit: (userId: bigint, slug: string, amount: bigint) => Promise<bigint | null>;
  /** What was mailed, newest first. */
  mail: () => Promise<ListedMail[]>;
  /** The card provider that the sandbox plays; null where a real one is configured. */
  card: SandboxApiParts | null;
  /** Called when a chain was moved by hand, so that it is read at once. */
  onMoved?: () => void;
};

type Given<Name extends SandboxCallName> = { params: ParamsOf<Name>; body: BodyOf<Name> };
type SandboxHandlers = { [Name in SandboxCallName]: (given: Given<Name>) => Promise<AnswerOf<Name>> };

/** The sandbox's controls (contract §7). */
export async function addSandboxRoutes(app: FastifyInstance, parts: SandboxParts): Promise<void> {
  const handlers = sandboxHandlers(parts);
  for (const name of callNames) addCall<SandboxCallName>(app, name, handlers[name], parts.access);
  addSandboxPage(app, parts);
  if (parts.card === null) return;
  addSandboxProviderApi(app, parts.card);
  await addSandboxProviderPages(app, parts.card.provider);
}

const callNames = Object.keys(sandboxCalls).filter((name): name is SandboxCallName => name in sandboxCalls);

function addCall<Name extends SandboxCallName>(
  app: FastifyInstance,
  name: Name,
  handler: SandboxHandlers[Name],
  access: SandboxAccess,
): void {
  const { method, path, params, body, answer }: Call = sandboxCalls[name];
  app.route({
    method,
    url: path,
    config: { isUncounted: true },
    onRequest: async (request) => access.guard(request),
    schema: { hide: true, ...(params && { params }), ...(body && { body }), response: { 200: answer } },
    // The schemas above have parsed both: they are what the contract says.
    handler: (request) => handler({ params: request.params, body: request.body } as Given<Name>),
  });
}

function sandboxHandlers(parts: SandboxParts): SandboxHandlers {
  const { orderService, catalogue, networks, clock, setPrice, takePrices, credit, mail, card, onMoved } = parts;
  return {
    async sandboxPay({ body }) {
      const target = await orderService.depositTarget(body.orderId);
      const instrument = target && catalogue.instruments.get(target.slug);
      if (!target || !instrument) throw new CodedError("ERR_NOT_FOUND", "There is no such order");
      const network = requireNetwork(networks, target.networkTitle);
      const amount = body.amount ? readAmount(instrument, body.amount, "amount") : target.amount;
      const { txId } = await network.pay({ address: target.address, memo: target.memo, slug: target.slug, amount });
      onMoved?.();
      // The provider sees what a sale was paid.
      const sale = await card?.provider.transactionOf(body.orderId);
      if (card && sale?.direction === "sell" && amount >= sale.coinAmount) await card.provider.goOn(sale, "paid", txId);
      return {
        orderId: body.orderId,
        txId,
        amount: formatAmount(amount, instrument.decimals),
        instrument: target.slug,
      };
    },
    async sandboxMarket({ body: { slug, price } }) {
      if (!catalogue.slugs.has(slug)) throw invalid("slug", "is no known instrument");
      if (parseAmount(price, PRICE_DECIMALS) === null)
        throw invalid("price", `has more than ${PRICE_DECIMALS} decimals`);
      await setPrice(slug, price);
      await takePrices();
      return { slug, price };
    },
    async sandboxClock({ body }) {
      const now = await clock.advance(body.advanceSeconds);
      await takePrices();
      return { now: now.toISOString(), offsetSeconds: clock.offsetSeconds() };
    },
    async sandboxNetwork({ params: { networkTitle }, body }) {
      const network = requireNetwork(networks, networkTitle);
      const did = await command(network, body);
      onMoved?.();
      return { networkTitle, did, height: await network.height() };
    },
    async sandboxCredit({ body }) {
      const instrument = requireInstrument(catalogue, catalogue.terms.earningsSlug);
      const { slug, decimals } = instrument;
      const amount = readAmount(instrument, body.amount, "amount");
      const balance = await credit(BigInt(body.userId), slug, amount);
      if (balance === null) throw new CodedError("ERR_NOT_FOUND", "There is no such account");
      return {
        userId: body.userId,
        amount: formatAmount(amount, decimals),
        instrument: slug,
        balance: formatAmount(balance, decimals),
      };
    },
    async sandboxCard({ body: { orderId, state, isCallbackLost } }) {
      const found = await card?.provider.transactionOf(orderId);
      if (!card || !found) throw new CodedError("ERR_NOT_FOUND", "There is no such card order");
      const moved = await card.provider.move(found, state, { isCallbackLost });
      return { orderId, state: moved?.state ?? found.state };
    },
    sandboxMail: () => mail(),
  };
}

async function command(network: SandboxNetwork, body: SandboxNetworkCommand): Promise<string> {
  if ("mine" in body) {
    await network.mine(body.mine);
    return `mined ${body.mine}`;
  }
  if ("reorg" in body) {
    await network.reorg(body.reorg);
    return `replaced ${body.reorg}`;
  }
  if ("fees" in body) {
    if (network.setFees === undefined)
      throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "Fees can be set on simulated networks only");
    await network.setFees(body.fees);
    return `fees at ${body.fees} %`;
  }
  await network.setPaused(body.paused);
  return body.paused ? "paused" : "resumed";
}

function requireNetwork(networks: SandboxNetworks, title: string): SandboxNetwork {
  const found = networks.get(title);
  if (!found) throw new CodedError("ERR_NOT_FOUND", "The sandbox has no such network");
  return found;
}

const invalid = (field: string, reason: string): CodedError =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data: { [field]: reason } });
