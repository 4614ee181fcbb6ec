export { PayCard } from "./pay-card.tsx";
export { ProviderCard } from "./provider-card.tsx";
export { StateCard } from "./state-card.tsx";
export { TermsRows } from "./terms-rows.tsx";
