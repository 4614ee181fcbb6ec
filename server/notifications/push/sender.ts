import webPush from "web-push";
import { isPushPlace } from "./places.ts";
import { post, type PostParts } from "./post.ts";
import type { PushPlaces, PushSender } from "./port.ts";

export type SenderParts = {
  keys: { publicKey: string; privateKey: string };
  subject: string;
  places: PushPlaces;
  resolve?: PostParts["resolve"];
};

export function createPushSender({ keys, subject, places, resolve }: SenderParts): PushSender {
  return {
    async send({ endpoint, p256dh, auth }, { text, topic, urgency, ttlSeconds }, signal) {
      // Judged again: the list may have changed since somebody subscribed.
      if (!isPushPlace(endpoint, places)) return { kind: "forbidden" };
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...keys },
        contentEncoding: "aes128gcm",
        TTL: ttlSeconds,
        urgency,
        topic,
      });
      const url = new URL(endpoint);
      const isPublicOnly = url.origin !== places.sandboxService;
      return post({ url, headers, body, isPublicOnly, signal, ...(resolve && { resolve }) });
    },
  };
}
