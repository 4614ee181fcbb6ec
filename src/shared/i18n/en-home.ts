import home from "../../../locales/en/home.json";

export const messages = { home };
