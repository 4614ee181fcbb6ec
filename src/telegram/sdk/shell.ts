/** Whether a messenger's client shows this page; the head script has found out before the first paint. */
export const isInMessenger = (): boolean => document.documentElement.dataset["shell"] === "messenger";
