import common from "../../../locales/en/common.json";
import exchange from "../../../locales/en/exchange.json";

export const messages = { common, exchange };
