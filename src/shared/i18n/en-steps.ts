import exchange from "../../../locales/en/exchange-steps.json";

export const messages = { exchange };
