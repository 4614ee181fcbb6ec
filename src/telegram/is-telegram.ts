/** Whether a Telegram client shows this page; the head script finds out before the first paint. */
export const isTelegram = (): boolean => document.documentElement.dataset["shell"] === "telegram";
