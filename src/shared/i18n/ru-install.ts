import install from "../../../locales/ru/install.json";

export const messages = { install };
