import messenger from "../../../locales/ru/messenger.json";

export const messages = { messenger };
