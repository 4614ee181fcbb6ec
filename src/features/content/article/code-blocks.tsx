import { type RefObject, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { CopyIconButton } from "../../../shared/ui/index.ts";
import "./code-blocks.css";

type CodeBlock = { readonly slot: HTMLElement; readonly code: string };

type CodeBlocksProps = {
  /** The element with an article's text. */
  readonly body: RefObject<HTMLElement | null>;
  /** What it holds now. */
  readonly html: string;
};

/** A button on each block of code of an article that copies it. The text is the server's: buttons come once the page is hydrated. */
export function CodeBlocks({ body, html }: CodeBlocksProps) {
  const { t } = useTranslation("content");
  const [blocks, setBlocks] = useState<readonly CodeBlock[]>([]);
  useEffect(() => {
    const frames = [...(body.current?.querySelectorAll("pre") ?? [])].map(frameOf);
    setBlocks(frames.map(({ slot, code }) => ({ slot, code })));
    return () => {
      for (const { remove } of frames) remove();
    };
  }, [body, html]);
  return blocks.map(({ slot, code }, index) =>
    createPortal(
      <CopyIconButton
        value={code}
        label={t("code.copy")}
        copiedLabel={t("code.copied")}
        failedLabel={t("code.notCopied")}
      />,
      slot,
      String(index),
    ),
  );
}

/** A frame around the block that doesn't scroll with its code, with a place for the button. */
function frameOf(pre: HTMLPreElement): CodeBlock & { readonly remove: () => void } {
  const frame = document.createElement("div");
  const slot = document.createElement("div");
  frame.className = "w-code-block";
  slot.className = "w-code-block__copy";
  pre.replaceWith(frame);
  frame.append(pre, slot);
  return { slot, code: pre.textContent.replace(/\n$/, ""), remove: () => frame.replaceWith(pre) };
}
