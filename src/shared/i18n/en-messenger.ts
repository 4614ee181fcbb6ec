import messenger from "../../../locales/en/messenger.json";

export const messages = { messenger };
