/** A block of a description: what OpenAPI's texts are made of here. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] };

/** The blocks of a text with `##` headings, `-` lists, fenced code and paragraphs. */
export function blocksOf(text: string): Block[] {
  return text.split(/^```\w*\n([^]*?)\n```$/m).flatMap((part, at): Block[] => {
    if (at % 2 === 1) return [{ kind: "code", text: part }];
    const paragraphs = part.split(/\n{2,}/).map((one) => one.trim());
    return paragraphs.filter((one) => one !== "").map(toBlock);
  });
}

function toBlock(text: string): Block {
  if (text.startsWith("## ")) return { kind: "heading", text: text.slice("## ".length) };
  if (text.startsWith("- ")) return { kind: "list", items: text.slice("- ".length).split("\n- ") };
  return { kind: "paragraph", text };
}

/** The pieces of a line: every second one is code. */
export const piecesOf = (line: string): string[] => line.split("`");
