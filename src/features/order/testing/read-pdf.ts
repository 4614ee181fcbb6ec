import { getDocumentProxy } from "unpdf";

/** The texts of a PDF as a reader of it finds them, one for each piece that was set. */
export async function readPdf(bytes: Uint8Array): Promise<{ pages: number; texts: string[]; title: unknown }> {
  const pdf = await getDocumentProxy(bytes.slice(), { useSystemFonts: false, verbosity: 0 });
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(...items.flatMap((item) => ("str" in item && item.str !== "" ? [item.str] : [])));
  }
  const { info } = await pdf.getMetadata();
  await pdf.loadingTask.destroy();
  return { pages: pdf.numPages, texts, title: (info as { Title?: unknown }).Title };
}
