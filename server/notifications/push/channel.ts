import type { Locale } from "#contract/locale.ts";
import type { PushNotification } from "#contract/accounts/push.ts";
import { sha256 } from "../../base/secrets.ts";
import { fixedT } from "../../base/i18n.ts";
import { isMailOnly, type OrderMessage, type Topic } from "../message.ts";
import { accountPath, publicParagraphs } from "../account-mails.ts";
import type { AccountChannel, Channel } from "../outbox.ts";
import type { DeliveryResult } from "../port.ts";
import type { PushResult, PushSender, PushSubscriptions, PushUrgency } from "./port.ts";

/** The same age at which the outbox drops a message. */
const TTL_SECONDS = 24 * 3_600;
/** What waits for the customer wakes a sleeping device. */
const URGENT: ReadonlySet<Topic> = new Set<Topic>(["choice_needed", "under_minimum", "over_maximum", "refund_delayed"]);

/** Sends to subscribed browsers. No push holds an address, an amount or the order's id. */
export const createPushChannel =
  (sender: PushSender, subscriptions: Pick<PushSubscriptions, "drop">): Channel =>
  async (message, { order_id: orderId, reference, subscription }, signal) => {
    if (subscription === null) return { kind: "refused", isFinal: true, reason: "the subscription was deleted" };
    const topic = topicOf(orderId);
    const notice = writeNotice(message, { reference, locale: subscription.locale, tag: topic });
    const urgency = URGENT.has(message.topic) ? "high" : "normal";
    return send({ sender, subscriptions }, subscription, { notice, urgency }, signal);
  };

/** Sends to the browsers in which an account is signed in. A later message about the same subject takes the place of an earlier one. */
export const createPushAccountChannel =
  (sender: PushSender, subscriptions: Pick<PushSubscriptions, "drop">): AccountChannel =>
  async ({ user_id: userId, topic, subject, payload, subscription }, signal) => {
    if (subscription === null) return { kind: "refused", isFinal: true, reason: "the session has ended" };
    const { locale } = subscription;
    const tag = topicOf(`${userId} ${subject ?? topic}`);
    const notice: PushNotification = {
      title: fixedT(locale, "mail")(`account.subject.${topic}`),
      body: publicParagraphs(topic, locale, payload).join(" "),
      lang: locale,
      tag,
      reference: "",
      path: accountPath(topic, locale),
    };
    return send({ sender, subscriptions }, subscription, { notice, urgency: "normal" }, signal);
  };

type Browser = NonNullable<Parameters<AccountChannel>[0]["subscription"]>;

async function send(
  { sender, subscriptions }: { sender: PushSender; subscriptions: Pick<PushSubscriptions, "drop"> },
  browser: Browser,
  { notice, urgency }: { notice: PushNotification; urgency: PushUrgency },
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const message = { text: JSON.stringify(notice), topic: notice.tag, urgency, ttlSeconds: TTL_SECONDS };
  const result = await sender.send(browser, message, signal);
  if (result.kind === "answered" && GONE.has(result.status)) await subscriptions.drop(browser.id);
  return resultOf(result);
}

/** Identifies what a message is about to a push service without disclosing it; at most 32 characters (RFC 8030 §5.4). */
const topicOf = (id: string): string => sha256(id).toString("base64url").slice(0, 32);

function writeNotice(
  message: OrderMessage,
  { reference, locale, tag }: Pick<PushNotification, "reference" | "tag"> & { locale: Locale },
): PushNotification {
  const { topic } = message;
  if (isMailOnly(topic)) throw new Error(`${topic} is sent by mail alone`);
  const t = fixedT(locale, "push");
  const notice = { title: t("title", { reference }), body: t(`text.${topic}`), lang: locale, tag, reference };
  return topic === "refund_delayed" ? { ...notice, stopToken: message.stopToken } : notice;
}

const GONE: ReadonlySet<number> = new Set([404, 410]);
/** A refused key is fixed by the operator, a busy service recovers. */
const RETRYABLE: ReadonlySet<number> = new Set([401, 403, 408, 425, 429, 503]);

/** What a push service's response means (RFC 8030 §5, §8.4); an error of its own may follow an accepted message. */
function resultOf(result: PushResult): DeliveryResult {
  switch (result.kind) {
    case "forbidden":
      return { kind: "refused", isFinal: true, reason: "the endpoint is not of a push service" };
    case "unreachable":
      return { kind: "refused", isFinal: false, reason: "the push service can't be reached" };
    case "unanswered":
      return { kind: "unknown", reason: "no answer from the push service" };
    case "answered": {
      const { status, retryAfterSeconds } = result;
      const reason = `the push service answered ${status}`;
      if (status >= 200 && status < 300) return { kind: "accepted" };
      if (RETRYABLE.has(status)) return { kind: "refused", isFinal: false, reason, retryAfterSeconds };
      return status >= 500 ? { kind: "unknown", reason } : { kind: "refused", isFinal: true, reason };
    }
  }
}
