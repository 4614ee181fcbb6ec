import exchange from "../../../locales/ru/exchange-steps.json";

export const messages = { exchange };
