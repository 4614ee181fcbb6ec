import install from "../../../locales/en/install.json";

export const messages = { install };
