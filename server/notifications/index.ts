export { listSandboxMail } from "./mail/sandbox-mailbox.ts";
export { startNotifier, type NotifierParts } from "./notifier.ts";
export { enqueueMessages } from "./outbox/outbox.ts";
export { isStopToken } from "./stop-tokens.ts";
export { createPushSender } from "./push/sender.ts";
export { createPushSubscriptions } from "./push/subscriptions.ts";
export { openPushKeys } from "./push/vapid-keys.ts";
export { startBot, type RunningBot } from "./telegram/bot-runner.ts";
export { addBotWebhook, createSeenUpdates, type BotWebhookParts, type SeenUpdates } from "./telegram/webhook.ts";
