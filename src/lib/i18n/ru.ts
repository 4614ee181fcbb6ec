import common from "../../../locales/ru/common.json";
import exchange from "../../../locales/ru/exchange.json";
import home from "../../../locales/ru/home.json";

export const messages = { common, exchange, home };
