export { advanceExchange } from "./advance.ts";
export { configuredPartners } from "./configured.ts";
export { endOfExchange, intendExchange, type LiquidityParts } from "./exchange-rows.ts";
export { createPartnerQuotes, type PartnerQuotes } from "./quotes.ts";
export { mayBePaid } from "./watching.ts";
