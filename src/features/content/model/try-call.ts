import * as z from "zod/mini";
import type { Operation, Parameter } from "./openapi.ts";

/** What earlier calls on this page have answered: the next forms begin with it. */
export type Recalled = {
  readonly rate: z.output<typeof rateSchema> | null;
  readonly orderId: string | null;
  readonly webhookId: string | null;
  readonly deliveryId: string | null;
};
export const NOTHING_RECALLED: Recalled = { rate: null, orderId: null, webhookId: null, deliveryId: null };

const rateSchema = z.object({
  instrumentFrom: z.object({ slug: z.string() }),
  instrumentTo: z.object({ slug: z.string() }),
  amountToGive: z.string(),
  amountToGet: z.string(),
  rateMode: z.string(),
  price: z.string(),
  updatedAt: z.string(),
  markupBps: z.int(),
});
const orderSchema = z.object({ orderId: z.string() });
const webhookSchema = z.object({ id: z.string(), url: z.string() });
const deliveriesSchema = z.object({ items: z.array(z.object({ id: z.string(), lastError: z.nullable(z.string()) })) });

/** What is kept of an answer. */
export function recall(known: Recalled, operation: Pick<Operation, "id">, answer: unknown): Recalled {
  const { id } = operation;
  if (id === "partnerRate") return { ...known, rate: rateSchema.safeParse(answer).data ?? known.rate };
  if (id === "partnerCreateOrder") return { ...known, orderId: orderSchema.safeParse(answer).data?.orderId ?? null };
  if (id === "partnerCreateWebhook") return { ...known, webhookId: webhookSchema.safeParse(answer).data?.id ?? null };
  if (id === "partnerDeliveries")
    return { ...known, deliveryId: deliveriesSchema.safeParse(answer).data?.items[0]?.id ?? known.deliveryId };
  return known;
}

/** What a form's field begins with. */
export function initialValue({ name, example }: Parameter, { orderId, webhookId, deliveryId }: Recalled): string {
  const recalled: Record<string, string | null> = { orderId, webhookId, deliveryId };
  return recalled[name] ?? example ?? "";
}

/** What the body begins with: the example, and for an order the rate that was read last. */
export function initialBody({ id, body }: Operation, { rate }: Recalled): string {
  if (body === null) return "";
  const example = typeof body.example === "object" && body.example !== null ? body.example : {};
  if (id !== "partnerCreateOrder" || rate === null) return written(example);
  const { price, updatedAt, amountToGet: claimedAmountToReceive } = rate;
  return written({
    ...example,
    rateMode: rate.rateMode,
    instrumentFromSlug: rate.instrumentFrom.slug,
    instrumentToSlug: rate.instrumentTo.slug,
    claimedDepositAmount: rate.amountToGive,
    claimedPublicRate: { price, updatedAt, claimedAmountToReceive },
    markupBps: rate.markupBps,
    externalId: null,
  });
}

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** A call's path with its parameters filled in, and the query of those that are not empty. */
export function targetOf(
  { path, parameters }: Pick<Operation, "path" | "parameters">,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = new URLSearchParams(
    parameters.flatMap((one) => (one.in === "query" && values[one.name] ? [[one.name, values[one.name] ?? ""]] : [])),
  ).toString();
  return query === "" ? filled : `${filled}?${query}`;
}
