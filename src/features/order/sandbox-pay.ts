import type * as z from "zod/mini";
import { failureSchema } from "#contract/errors.ts";
import { sandboxPayAnswerSchema } from "#contract/sandbox.ts";
import { CallError } from "../../shared/http/call-error.ts";

const TIMEOUT_MS = 30_000;

/** Pays an order's deposit address from the sandbox's wallet (contract §7). Throws CallError, as every call does. */
export async function payFromSandbox(orderId: string): Promise<z.output<typeof sandboxPayAnswerSchema>> {
  const { httpStatus, body } = await post("/sandbox/pay", { orderId });
  const paid = sandboxPayAnswerSchema.safeParse(body);
  if (httpStatus === 200 && paid.success) return paid.data;
  const failure = failureSchema.safeParse(body);
  if (!failure.success) throw new CallError({ kind: "unreadable", message: `HTTP ${httpStatus}`, httpStatus });
  const { status, message, data, traceId } = failure.data;
  throw new CallError({ kind: "coded", code: status, message, data: data ?? {}, httpStatus, traceId });
}

async function post(path: string, payload: unknown): Promise<{ httpStatus: number; body: unknown }> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { httpStatus: response.status, body: await response.json() };
  } catch (cause) {
    throw new CallError({ kind: "network", message: "the sandbox was not reached", cause });
  }
}
