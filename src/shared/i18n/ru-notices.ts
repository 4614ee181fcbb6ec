import notices from "../../../locales/ru/notices.json";

export const messages = { notices };
