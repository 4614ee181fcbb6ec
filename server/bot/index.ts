export { startBot, type RunningBot } from "./running-bot.ts";
