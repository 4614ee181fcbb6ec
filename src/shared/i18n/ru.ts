import common from "../../../locales/ru/common.json";
import exchange from "../../../locales/ru/exchange.json";

export const messages = { common, exchange };
