import notices from "../../../locales/en/notices.json";

export const messages = { notices };
