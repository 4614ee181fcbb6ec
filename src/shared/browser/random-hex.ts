/** 128 random bits; not randomUUID, which is missing where the page is not served over HTTPS. */
export const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
