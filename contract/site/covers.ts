/** A cover is at `{cover}-{width}.{format}`, and so high in parts of its width. */
export const COVER_RATIO = 3 / 8;
export const COVER_WIDTHS = [480, 800, 1200] as const;
export const COVER_FORMATS = ["avif", "webp"] as const;
