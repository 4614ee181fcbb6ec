/** A cover is at `{cover}-{width}.{format}`, with three times as much width as height in eight parts. */
export const COVER_WIDTHS = [480, 800, 1200] as const;
export const COVER_FORMATS = ["avif", "webp"] as const;
