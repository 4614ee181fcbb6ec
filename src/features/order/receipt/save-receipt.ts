import type { Locale } from "#contract/locale.ts";
import { saveFile, type Saved } from "../../../telegram/save-file.ts";
import type { ReceiptText } from "../model/receipt-text.ts";
import boldUrl from "./pdf/receipt-bold.ttf?url";
import monoUrl from "./pdf/receipt-mono.ttf?url";
import regularUrl from "./pdf/receipt-regular.ttf?url";

export type ReceiptFile = {
  text: ReceiptText;
  title: string;
  reference: string;
  locale: Locale;
  /** The order's page, for a Telegram client that saves no files. */
  pageUrl: string;
};

/** Makes the receipt's PDF on the device and hands it over, in a click handler. Throws where its code or fonts don't come. */
export async function saveReceipt({ text, title, reference, locale, pageUrl }: ReceiptFile): Promise<Saved> {
  const [{ receiptPdf }, regular, bold, mono] = await Promise.all([
    import("./pdf/receipt-pdf.ts"),
    fetchFont(regularUrl),
    fetchFont(boldUrl),
    fetchFont(monoUrl),
  ]);
  const bytes = await receiptPdf({ text, title, site: new URL(pageUrl).host, locale }, { regular, bold, mono });
  const name = `wherry-${reference}.pdf`;
  return saveFile({ file: new File([bytes], name, { type: "application/pdf" }), title, pageUrl });
}

async function fetchFont(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.arrayBuffer();
}
