/** The devnet can't be had, for a reason that the person who starts the app can act on: the message says it all. */
export class DevnetError extends Error {
  override name = "DevnetError";
}
