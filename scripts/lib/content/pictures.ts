import { basename } from "node:path";
import type { Element, Root as Html } from "hast";
import type { Root as Markdown } from "mdast";
import { visit } from "unist-util-visit";
import { COVER_FORMATS } from "#contract/site/covers.ts";
import type { Place } from "./article-file.ts";
import { type Drawn, readPictures, type Size, sizeOf, type SourcePicture } from "./draw-picture.ts";

/** A text's column is this wide on a large screen; twice that is sharp on any. */
const COLUMN = 792;
const WIDTHS = [480, 800, 1200, 1600] as const;
const WIDEST = 1_600;

export type ArticlePicture = SourcePicture & Size;
/** Pictures by the names of their files, as articles write them. */
export type Pictures = ReadonlyMap<string, ArticlePicture>;

/** The pictures of a folder. Throws `ContentError` for a file that is none. */
export async function readArticlePictures(folder: string): Promise<Pictures> {
  const pictures = new Map<string, ArticlePicture>();
  for (const picture of readPictures(folder))
    pictures.set(basename(picture.file), { ...picture, ...(await sizeOf(picture)) });
  return pictures;
}

/** What a picture is drawn in: never larger than it is, but for a drawing. */
export function sizesOf({ width, isDrawing }: ArticlePicture): Drawn[] {
  const widest = Math.min(WIDEST, isDrawing ? 2 * width : width);
  return [...WIDTHS.filter((one) => one < widest), widest].map((one) => ({ width: one }));
}

const pathOf = ({ key }: ArticlePicture): string => `/article-pictures/${key}`;

/**
 * Pictures of a text are written as files of `content/pictures`, `![A boat](boat.png)`: each gets the path that it is served at. Those that the text shows,
 * by their paths. Throws `ContentError` for one that is not there, of another site or without words for who can't see it.
 */
export function resolvePictures(
  tree: Markdown,
  pictures: Pictures,
  { refuse }: Place,
): ReadonlyMap<string, ArticlePicture> {
  const shown = new Map<string, ArticlePicture>();
  visit(tree, (node) => {
    if (node.type === "imageReference") throw refuse(node, "write a picture as ![what it shows](boat.png)");
    if (node.type !== "image") return;
    const { url, alt } = node;
    if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(url))
      throw refuse(
        node,
        `the picture ${url} is not shown: put its file into content/pictures and write its name alone`,
      );
    const picture = pictures.get(url);
    if (picture === undefined) throw refuse(node, `the picture ${url} is not in content/pictures`);
    if ((alt ?? "").trim() === "")
      throw refuse(node, `the picture ${url} needs words for who can't see it: ![what it shows](${url})`);
    node.url = pathOf(picture);
    shown.set(node.url, picture);
  });
  return shown;
}

/** Each picture of a text in every format and width. */
export function writePictures(tree: Html, found: ReadonlyMap<string, ArticlePicture>): void {
  visit(tree, "element", (element: Element, index, parent) => {
    if (element.tagName !== "img" || parent === undefined || index === undefined) return;
    const picture = found.get(String(element.properties["src"]));
    if (picture === undefined) return;
    parent.children[index] = pictureElement(picture, element);
    return index + 1;
  });
}

function pictureElement(picture: ArticlePicture, { properties }: Element): Element {
  const sizes = sizesOf(picture);
  const path = pathOf(picture);
  const width = Math.min(picture.width, WIDEST);
  const shown = Math.min(width, COLUMN);
  const sources = COVER_FORMATS.map((format) =>
    elementOf("source", {
      type: `image/${format}`,
      srcSet: sizes.map((size) => `${path}-${size.width}.${format} ${size.width}w`).join(", "),
      sizes: `(min-width: ${shown}px) ${shown}px, 100vw`,
    }),
  );
  const image = elementOf("img", {
    src: `${path}-${(sizes.find((size) => size.width >= shown) ?? sizes.at(-1))?.width}.webp`,
    alt: properties["alt"],
    title: properties["title"],
    width,
    height: Math.round((width * picture.height) / picture.width),
    loading: "lazy",
    decoding: "async",
  });
  return { ...elementOf("picture", {}), children: [...sources, image] };
}

const elementOf = (tagName: string, properties: Element["properties"]): Element => ({
  type: "element",
  tagName,
  properties,
  children: [],
});
