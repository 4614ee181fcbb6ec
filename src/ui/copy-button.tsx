import { useEffect, useState } from "react";
import { copyText } from "../platform/clipboard.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "./icons/icon.tsx";

export type CopyButtonProps = Pick<ButtonProps, "stretched" | "variant" | "describedBy"> & {
  /** What is copied: as it is, without the spaces that are shown. */
  readonly value: string;
  readonly label: string;
  readonly copiedLabel: string;
  readonly onCopied?: () => void;
};

const COPIED_MS = 2_000;

/** Copies and says so for two seconds, on the button and politely to screen readers. */
export function CopyButton({
  value,
  label,
  copiedLabel,
  variant = "soft",
  stretched,
  describedBy,
  onCopied,
}: CopyButtonProps) {
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setCopies(0), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = async () => {
    if (!(await copyText(value))) return;
    setCopies((count) => count + 1);
    onCopied?.();
  };
  const isCopied = copies > 0;
  return (
    <>
      <Button
        variant={variant}
        stretched={stretched}
        describedBy={describedBy}
        icon={<Icon name={isCopied ? "check" : "copy"} size={18} />}
        onClick={() => void copy()}
      >
        {isCopied ? copiedLabel : label}
      </Button>
      <span className="w-visually-hidden" role="status">
        {isCopied ? copiedLabel : ""}
      </span>
    </>
  );
}
