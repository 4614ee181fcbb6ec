import { createHmac } from "node:crypto";
import { postOnce, type PostParts } from "../../base/outbound/public-post.ts";
import { endpointProblem, isLoopback } from "./endpoint.ts";
import type { AttemptResult } from "./store.ts";

/** An answer that comes later counts as none; shorter than the lease of a row. */
const TIMEOUT_MS = 10_000;

export type SenderParts = {
  isSandbox: boolean;
  timeoutMs?: number;
  /** Node's own, unless a test replaces it. */
  resolve?: PostParts["resolve"];
};
export type Sender = (
  to: { url: string; secret: string },
  message: { id: string; body: string; at: Date },
  signal: AbortSignal,
) => Promise<AttemptResult>;

/** `X-Wherry-Signature` of a body (contract §13). */
function webhookSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Sends a webhook to a public address, once and without redirects, and reads nothing of the answer but its status. */
export function createWebhookSender({ isSandbox, timeoutMs = TIMEOUT_MS, resolve }: SenderParts): Sender {
  return async ({ url: text, secret }, { id, body, at }, signal) => {
    // Checked again: the sandbox may have been on when it was made.
    if (endpointProblem(text, isSandbox) !== null) return { status: null, error: "forbidden address" };
    const url = new URL(text);
    const result = await postOnce({
      url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Wherry-Webhooks/1",
        "x-wherry-delivery": id,
        "x-wherry-signature": webhookSignature(secret, body, at),
      },
      body: Buffer.from(body),
      isPublicOnly: !(isSandbox && isLoopback(url)),
      signal,
      timeoutMs,
      ...(resolve && { resolve }),
    });
    if (result.kind === "answered") {
      const isTaken = result.status >= 200 && result.status < 300;
      return { status: result.status, error: isTaken ? null : `answered ${result.status}` };
    }
    const errors = {
      forbidden: "no public address",
      unreachable: "not reached",
      unanswered: "no answer",
    } as const;
    return { status: null, error: errors[result.kind] };
  };
}
