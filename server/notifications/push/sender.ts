import webPush from "web-push";
import { postOnce, type PostParts } from "../../base/outbound/public-post.ts";
import { isPushEndpoint } from "./endpoints.ts";
import type { PushServices, PushSender } from "./port.ts";

/** Shorter than the lease of a row, so that two workers never send the same one. */
const TIMEOUT_MS = 30_000;

export type SenderParts = {
  keys: { publicKey: string; privateKey: string };
  subject: string;
  services: PushServices;
  resolve?: PostParts["resolve"];
};

export function createPushSender({ keys, subject, services, resolve }: SenderParts): PushSender {
  return {
    async send({ endpoint, p256dh, auth }, { text, topic, urgency, ttlSeconds }, signal) {
      // Checked again: the list may have changed since the subscription.
      if (!isPushEndpoint(endpoint, services)) return { kind: "forbidden" };
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...keys },
        contentEncoding: "aes128gcm",
        TTL: ttlSeconds,
        urgency,
        topic,
      });
      const url = new URL(endpoint);
      const isPublicOnly = url.origin !== services.sandboxService;
      return postOnce({ url, headers, body, isPublicOnly, signal, timeoutMs: TIMEOUT_MS, ...(resolve && { resolve }) });
    },
  };
}
