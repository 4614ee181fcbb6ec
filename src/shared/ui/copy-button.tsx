import { useEffect, useState } from "react";
import { copyText } from "../browser/clipboard.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "./icons/icon.tsx";

export type CopyButtonProps = Pick<ButtonProps, "stretched" | "variant" | "describedBy"> & {
  /** What is copied: as it is, without the spaces that are shown. */
  readonly value: string;
  readonly label: string;
  readonly copiedLabel: string;
  /** Where the browser lets nothing be copied. */
  readonly failedLabel: string;
  readonly onCopied?: () => void;
};

const COPIED_MS = 2_000;

type Said = "copied" | "failed" | null;

/** Copies and says so, or that it couldn't, for two seconds, on the button and politely to screen readers. */
export function CopyButton({
  value,
  label,
  copiedLabel,
  failedLabel,
  variant = "soft",
  stretched,
  describedBy,
  onCopied,
}: CopyButtonProps) {
  const [said, setSaid] = useState<{ said: Said }>({ said: null });
  useEffect(() => {
    if (said.said === null) return undefined;
    const timer = setTimeout(() => setSaid({ said: null }), COPIED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const isCopied = await copyText(value);
    setSaid({ said: isCopied ? "copied" : "failed" });
    if (isCopied) onCopied?.();
  };
  const words = said.said === null ? "" : said.said === "copied" ? copiedLabel : failedLabel;
  return (
    <>
      <Button
        variant={variant}
        stretched={stretched}
        describedBy={describedBy}
        icon={<Icon name={said.said === "copied" ? "check" : "copy"} size={18} />}
        onClick={() => void copy()}
      >
        {words || label}
      </Button>
      <span className="w-visually-hidden" role="status">
        {words}
      </span>
    </>
  );
}
