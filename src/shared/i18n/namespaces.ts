/** The namespaces of the app; those of mails, push messages and the bot stay on the server. */
export const NAMESPACES = [
  "account",
  "api",
  "card",
  "common",
  "content",
  "earnings",
  "embed",
  "exchange",
  "home",
  "info",
  "install",
  "notifications",
  "order",
  "pair",
  "prices",
  "share",
  "telegram",
  "verification",
  "webhooks",
  "widget",
] as const;
export type Namespace = (typeof NAMESPACES)[number];
