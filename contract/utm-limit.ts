const MAX_BYTES = 2_048;

/** Whether a UTM record is small enough for an order to keep: 2 KB of JSON. Apart from its schema, so that a page that records a visit needs no zod. */
export const fitsUtmData = (record: object): boolean =>
  new TextEncoder().encode(JSON.stringify(record)).byteLength <= MAX_BYTES;
