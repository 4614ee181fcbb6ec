import order from "../../../locales/ru/order.json";

export const messages = { order };
