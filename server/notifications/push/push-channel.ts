import { createHash } from "node:crypto";
import type { OrderLocale } from "#contract/order.ts";
import type { PushNotification } from "#contract/push.ts";
import type { PushResult, PushSender, PushSubscriptions } from "./port.ts";
import type { Courier } from "../channel.ts";
import type { OwnerMessage, Topic } from "../message.ts";
import type { Outcome } from "../port.ts";
import { wordsOf } from "../words.ts";

/** As long as anything is told at all. */
const TTL_SECONDS = 24 * 3_600;
/** What an owner is waited for wakes a sleeping device. */
const URGENT: ReadonlySet<Topic> = new Set<Topic>(["choice_needed", "under_minimum", "over_maximum"]);

/** Notices to the browsers that asked for them. None holds an address, an amount or the order's id. */
export const pushCourier =
  (sender: PushSender, subscriptions: Pick<PushSubscriptions, "drop">): Courier =>
  async (message, { order_id: orderId, reference, subscription }, signal) => {
    if (subscription === null) return { kind: "refused", isFinal: true, reason: "the subscription was withdrawn" };
    const topic = topicOf(orderId);
    const notice = writeNotice(message, { reference, locale: subscription.locale, tag: topic });
    const result = await sender.send(
      subscription,
      {
        text: JSON.stringify(notice),
        topic,
        urgency: URGENT.has(message.topic) ? "high" : "normal",
        ttlSeconds: TTL_SECONDS,
      },
      signal,
    );
    if (result.kind === "answered" && GONE.has(result.status)) await subscriptions.drop(subscription.id);
    return outcomeOf(result);
  };

/** Names an order to a push service without giving it away; at most 32 characters (RFC 8030 §5.4). */
const topicOf = (orderId: string): string => createHash("sha256").update(orderId).digest("base64url").slice(0, 32);

function writeNotice(
  { topic }: OwnerMessage,
  { reference, locale, tag }: Pick<PushNotification, "reference" | "tag"> & { locale: OrderLocale },
): PushNotification {
  const say = wordsOf(locale, "push");
  return { title: say("title", { reference }), body: say(`text.${topic}`), lang: locale, tag, reference };
}

const GONE: ReadonlySet<number> = new Set([404, 410]);
/** A key that is not believed, a service that is busy: mended from outside. */
const LATER: ReadonlySet<number> = new Set([401, 403, 408, 425, 429, 503]);

/** What a push service's answer means (RFC 8030 §5, §8.4); a failure of its own may come after it took the message. */
function outcomeOf(result: PushResult): Outcome {
  switch (result.kind) {
    case "forbidden":
      return { kind: "refused", isFinal: true, reason: "the endpoint is no push service's" };
    case "unreachable":
      return { kind: "refused", isFinal: false, reason: "the push service can't be reached" };
    case "unanswered":
      return { kind: "unknown", reason: "no answer of the push service" };
    case "answered": {
      const { status, retryAfterSeconds } = result;
      const reason = `the push service said ${status}`;
      if (status >= 200 && status < 300) return { kind: "accepted" };
      if (LATER.has(status)) return { kind: "refused", isFinal: false, reason, retryAfterSeconds };
      return status >= 500 ? { kind: "unknown", reason } : { kind: "refused", isFinal: true, reason };
    }
  }
}
