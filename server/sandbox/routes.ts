import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { CodedError } from "#contract/errors.ts";
import { formatAmount, parseAmount } from "#contract/money.ts";
import {
  sandboxClockAnswerSchema,
  sandboxClockBodySchema,
  sandboxMailAnswerSchema,
  sandboxMarketAnswerSchema,
  sandboxMarketBodySchema,
  sandboxNetworkAnswerSchema,
  sandboxNetworkBodySchema,
  sandboxPayAnswerSchema,
  sandboxPayBodySchema,
  type SandboxNetworkCommand,
} from "#contract/sandbox.ts";
import { PRICE_DECIMALS, readAmount, type Catalogue } from "../catalogue/index.ts";
import type { MovableClock } from "../base/clock.ts";
import type { ListedMail } from "../notifications/port.ts";
import type { OrderService } from "../orders/port.ts";
import { addSandboxPage } from "./page.ts";
import type { SandboxNetwork, SandboxNetworks } from "./port.ts";

export type SandboxParts = {
  orderService: Pick<OrderService, "depositTarget">;
  catalogue: Catalogue;
  networks: SandboxNetworks;
  clock: Pick<MovableClock, "advance" | "offsetSeconds">;
  /** Sets a market price, a USD decimal; it stays. */
  setPrice: (slug: string, price: string) => Promise<void>;
  /** Takes all prices anew at once. */
  takePrices: () => Promise<unknown>;
  /** What was mailed, newest first. */
  mail: () => Promise<ListedMail[]>;
};

const titleParams = z.object({ networkTitle: z.string() });

/** What a person or a test does to the sandbox's world (contract §7). */
export function addSandboxRoutes(app: FastifyInstance, parts: SandboxParts): void {
  addPay(app, parts);
  addMarket(app, parts);
  addClock(app, parts);
  addNetworks(app, parts);
  addMail(app, parts);
  addSandboxPage(app, parts);
}

const answering = (schema: z.ZodMiniType, body: z.ZodMiniType) => ({ hide: true, body, response: { 200: schema } });

function addPay(app: FastifyInstance, { orderService, catalogue, networks }: SandboxParts): void {
  app.post<{ Body: z.output<typeof sandboxPayBodySchema> }>(
    "/sandbox/pay",
    { schema: answering(sandboxPayAnswerSchema, sandboxPayBodySchema) },
    async ({ body }) => {
      const target = await orderService.depositTarget(body.orderId);
      const instrument = target && catalogue.instruments.get(target.slug);
      if (!target || !instrument) throw new CodedError("ERR_NOT_FOUND", "There is no such order");
      const network = requireNetwork(networks, target.networkTitle);
      const amount = body.amount ? readAmount(instrument, body.amount, "amount") : target.amount;
      const { txId } = await network.pay({ address: target.address, memo: target.memo, slug: target.slug, amount });
      return {
        orderId: body.orderId,
        txId,
        amount: formatAmount(amount, instrument.decimals),
        instrument: target.slug,
      };
    },
  );
}

function addMarket(app: FastifyInstance, { catalogue, setPrice, takePrices }: SandboxParts): void {
  app.post<{ Body: z.output<typeof sandboxMarketBodySchema> }>(
    "/sandbox/market",
    { schema: answering(sandboxMarketAnswerSchema, sandboxMarketBodySchema) },
    async ({ body: { slug, price } }) => {
      if (!catalogue.slugs.has(slug)) throw invalid("slug", "is no known instrument");
      if (parseAmount(price, PRICE_DECIMALS) === null)
        throw invalid("price", `has more than ${PRICE_DECIMALS} decimals`);
      await setPrice(slug, price);
      await takePrices();
      return { slug, price };
    },
  );
}

function addClock(app: FastifyInstance, { clock, takePrices }: SandboxParts): void {
  app.post<{ Body: z.output<typeof sandboxClockBodySchema> }>(
    "/sandbox/clock",
    { schema: answering(sandboxClockAnswerSchema, sandboxClockBodySchema) },
    async ({ body }) => {
      const now = await clock.advance(body.advanceSeconds);
      await takePrices();
      return { now: now.toISOString(), offsetSeconds: clock.offsetSeconds() };
    },
  );
}

function addNetworks(app: FastifyInstance, { networks }: SandboxParts): void {
  app.post<{ Params: z.output<typeof titleParams>; Body: SandboxNetworkCommand }>(
    "/sandbox/networks/:networkTitle",
    { schema: { ...answering(sandboxNetworkAnswerSchema, sandboxNetworkBodySchema), params: titleParams } },
    async ({ params: { networkTitle }, body }) => {
      const network = requireNetwork(networks, networkTitle);
      const did = await command(network, body);
      return { networkTitle, did, height: await network.height() };
    },
  );
}

function addMail(app: FastifyInstance, { mail }: SandboxParts): void {
  app.get("/sandbox/mail", { schema: { hide: true, response: { 200: sandboxMailAnswerSchema } } }, mail);
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
  await network.setPaused(body.paused);
  return body.paused ? "paused" : "resumed";
}

function requireNetwork(networks: SandboxNetworks, title: string): SandboxNetwork {
  const found = networks.get(title);
  if (!found) throw new CodedError("ERR_NOT_FOUND", "The sandbox plays no such network");
  return found;
}

const invalid = (field: string, reason: string): CodedError =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data: { [field]: reason } });
