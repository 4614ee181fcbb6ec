import order from "../../../locales/en/order.json";

export const messages = { order };
