import common from "../../../locales/en/common.json";
import exchange from "../../../locales/en/exchange.json";
import home from "../../../locales/en/home.json";

export const messages = { common, exchange, home };
