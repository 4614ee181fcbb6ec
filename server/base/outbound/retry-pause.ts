const FIRST_SECONDS = 5;

/** The longest pause between two deliveries of a message, in seconds. */
export const MAX_RETRY_PAUSE_SECONDS = 3_600;

/** Seconds until a message is delivered again: doubled each time, up to an hour, and spread over its second half so that not all come at once. */
export const retryPauseSeconds = (attempts: number, random: () => number = Math.random): number =>
  Math.min(MAX_RETRY_PAUSE_SECONDS, FIRST_SECONDS * 2 ** (attempts - 1)) * (0.5 + random() / 2);
