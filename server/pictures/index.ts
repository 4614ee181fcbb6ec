export { coinDrawings } from "./coin-svg.ts";
export { createDrawing, type DrawPicture } from "./draw.ts";
export type { ArticleTexts } from "./facts.ts";
export { createPictures } from "./pictures.ts";
