import { blocksOf, piecesOf } from "../model/plain-markdown.ts";
import { CodeBlock } from "./code-block.tsx";

/** Where a heading of the introduction is. */
export const headingId = (text: string): string => `about-${text.toLowerCase().replace(/\W+/g, "-")}`;

/** A description of the document, which is English. */
export function Described({ text }: { readonly text: string }) {
  return (
    <div className="w-reference__text" lang="en">
      {blocksOf(text).map((block, at) => {
        const key = `${at} ${block.kind}`;
        if (block.kind === "heading")
          return (
            <h2 key={key} id={headingId(block.text)}>
              {block.text}
            </h2>
          );
        if (block.kind === "code") return <CodeBlock key={key} code={block.text} />;
        if (block.kind === "paragraph")
          return (
            <p key={key}>
              <Line text={block.text} />
            </p>
          );
        return (
          <ul key={key}>
            {block.items.map((item) => (
              <li key={item}>
                <Line text={item} />
              </li>
            ))}
          </ul>
        );
      })}
    </div>
  );
}

/** A line with its code. */
export const Line = ({ text }: { readonly text: string }) =>
  piecesOf(text).map((piece, at) => (at % 2 === 1 ? <code key={`${at} ${piece}`}>{piece}</code> : piece));
