import telegram from "../../../locales/en/telegram.json";

export const messages = { telegram };
