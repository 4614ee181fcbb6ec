import fontkit from "@pdf-lib/fontkit";
import { type Color, PDFDocument, type PDFFont, type PDFPage, rgb } from "pdf-lib";
import type { Locale } from "#contract/locale.ts";
import { visible } from "../../../../shared/format/visible.ts";
import type { ReceiptLine, ReceiptText } from "../../model/receipt-text.ts";

export type ReceiptPaper = { text: ReceiptText; title: string; site: string; locale: Locale };
type FontFiles = { regular: ArrayBuffer; bold: ArrayBuffer; mono: ArrayBuffer };
type Fonts = { regular: PDFFont; bold: PDFFont; mono: PDFFont };

/** A4 in points. */
const [PAGE_WIDTH, PAGE_HEIGHT] = [595.28, 841.89];
const MARGIN = 48;
const WIDTH = PAGE_WIDTH - 2 * MARGIN;
/** Where values begin, from the margin. */
const VALUES = 158;
const INK = rgb(0.051, 0.106, 0.165);
const QUIET = rgb(0.267, 0.337, 0.416);
const HAIRLINE = rgb(0.859, 0.886, 0.91);

/**
 * A receipt on A4: real text in embedded fonts, Latin and Cyrillic. Addresses and hashes stand on one line each, so that they are
 * found and copied whole; none is shortened.
 */
export async function receiptPdf(paper: ReceiptPaper, files: FontFiles): Promise<Uint8Array<ArrayBuffer>> {
  const { text, title, site, locale } = paper;
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setAuthor("Wherry");
  document.setCreator("Wherry");
  document.setLanguage(locale);
  // The files are subsets already: pdf-lib's own subsetting would only cost time.
  const [regular, bold, mono] = await Promise.all([
    document.embedFont(files.regular),
    document.embedFont(files.bold),
    document.embedFont(files.mono),
  ]);
  const pen = new Pen(document, { regular, bold, mono });
  pen.write("Wherry", { font: bold, size: 11, colour: QUIET });
  pen.down(30);
  pen.write(title, { font: bold, size: 18 });
  pen.down(34);
  pen.write(text.label, { size: 10, colour: QUIET });
  pen.down(24);
  pen.write(text.sum, { font: bold, size: 22 });
  if (text.caption !== null) {
    pen.down(16);
    pen.write(text.caption, { size: 9, colour: QUIET });
  }
  pen.down(14);
  for (const line of text.lines) drawLine(pen, line);
  pen.rule();
  pen.down(18);
  pen.write(site, { size: 9, colour: QUIET });
  // A copy, because a File takes no bytes of a shared buffer.
  return new Uint8Array(await document.save());
}

function drawLine(pen: Pen, line: ReceiptLine): void {
  const value = line.value ?? "";
  const font = line.kind === "code" ? pen.fonts.mono : pen.fonts.regular;
  const size = line.kind === "code" ? 8 : 10;
  const shown = pen.known(value, font);
  const isWrapped = line.kind === "text" || line.kind === "time";
  const isBeside = isWrapped || font.widthOfTextAtSize(shown, size) <= WIDTH - VALUES;
  const values = isWrapped ? pen.wrap(shown, font, size, WIDTH - VALUES) : [shown];
  const details = line.detail === undefined ? [] : pen.wrap(line.detail, pen.fonts.regular, 8.5, WIDTH - VALUES);
  const labels = pen.wrap(line.label, pen.fonts.regular, 10, VALUES - 12);
  const right = (isBeside ? values.length * 14 : 0) + details.length * 12;
  pen.need(Math.max(right, labels.length * 14) + (isBeside ? 0 : 14) + 16);
  pen.rule();
  pen.down(17);
  const top = pen.y;
  for (const [index, label] of labels.entries()) pen.write(label, { size: 10, colour: QUIET, y: top - index * 14 });
  if (isBeside) {
    for (const [index, text] of values.entries()) pen.write(text, { font, size, x: VALUES, y: top - index * 14 });
    const below = top - values.length * 14;
    for (const [index, text] of details.entries())
      pen.write(text, { size: 8.5, colour: QUIET, x: VALUES, y: below - index * 12 + 2 });
  } else {
    // Too long to stand beside its name: the whole width, smaller where even that is too little.
    pen.write(shown, { font, size: Math.min(size, (size * WIDTH) / font.widthOfTextAtSize(shown, size)), y: top - 14 });
  }
  pen.down(Math.max(right - 14, (labels.length - 1) * 14, 0) + (isBeside ? 0 : 14) + 7);
}

type Style = { font?: PDFFont; size: number; colour?: Color; x?: number; y?: number };

/** Writes downwards, onto a new page where one is full. */
class Pen {
  y = PAGE_HEIGHT - MARGIN - 11;
  readonly fonts: Fonts;
  private readonly document: PDFDocument;
  private readonly characters = new Map<PDFFont, ReadonlySet<number>>();
  private page: PDFPage;

  constructor(document: PDFDocument, fonts: Fonts) {
    this.document = document;
    this.fonts = fonts;
    this.page = document.addPage([PAGE_WIDTH, PAGE_HEIGHT]);
  }

  down(points: number): void {
    this.y -= points;
  }

  need(points: number): void {
    if (this.y - points >= MARGIN) return;
    this.page = this.document.addPage([PAGE_WIDTH, PAGE_HEIGHT]);
    this.y = PAGE_HEIGHT - MARGIN;
  }

  rule(): void {
    const ends = { start: { x: MARGIN, y: this.y }, end: { x: PAGE_WIDTH - MARGIN, y: this.y } };
    this.page.drawLine({ ...ends, thickness: 0.5, color: HAIRLINE });
  }

  write(text: string, { font = this.fonts.regular, size, colour = INK, x = 0, y = this.y }: Style): void {
    this.page.drawText(this.known(text, font), { x: MARGIN + x, y, size, font, color: colour });
  }

  /** Writes out what the font lacks, which would leave a box or nothing, as `⟨U+0041⟩`. */
  known(text: string, font: PDFFont): string {
    const characters = this.characters.get(font) ?? new Set(font.getCharacterSet());
    this.characters.set(font, characters);
    const isKnown = (character: string) => characters.has(character.codePointAt(0) ?? 0);
    const code = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return Array.from(visible(text), (character) => (isKnown(character) ? character : `⟨U+${code(character)}⟩`)).join(
      "",
    );
  }

  /** Breaks at spaces. */
  wrap(text: string, font: PDFFont, size: number, width: number): string[] {
    const lines: string[] = [];
    for (const word of this.known(text, font).split(" ")) {
      const longer = `${lines.at(-1) ?? ""} ${word}`;
      if (lines.length > 0 && font.widthOfTextAtSize(longer, size) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }
}
