import home from "../../../locales/ru/home.json";

export const messages = { home };
