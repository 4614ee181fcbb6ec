export { createSeenUpdates, type SeenUpdates } from "./seen-updates.ts";
export { addBotWebhook, type BotWebhookParts } from "./webhook.ts";
export { startBot, type RunningBot } from "./running-bot.ts";
