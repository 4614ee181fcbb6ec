import telegram from "../../../locales/ru/telegram.json";

export const messages = { telegram };
