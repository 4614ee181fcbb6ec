/** Ends the task that runs now: what follows is one of its own, between which the browser answers a touch. */
export const nextTask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
