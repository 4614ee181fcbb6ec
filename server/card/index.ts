export { networkOf as mercuryoNetworkOf } from "./mercuryo/networks.ts";
export { signatureOf as mercuryoSignature } from "./mercuryo/news.ts";
export { openCard, type OpenCard } from "./open-card.ts";
export { createCardAccounts } from "./provider-accounts.ts";
export { requireOwnUser, signUpAtProvider } from "./provider-users.ts";
export { cardHandlers } from "./routes.ts";
