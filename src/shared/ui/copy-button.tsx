import { useEffect, useState } from "react";
import { copyText } from "../browser/clipboard.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "./icon.tsx";

export type CopyButtonProps = Pick<ButtonProps, "stretched" | "variant" | "describedBy"> & {
  /** Copied as it is, without the spaces that are displayed. */
  readonly value: string;
  readonly label: string;
  readonly copiedLabel: string;
  /** Shown where the browser denies copying. */
  readonly failedLabel: string;
  readonly onCopied?: () => void;
};

const SHOWN_MS = 2_000;

type Result = "copied" | "failed" | null;

/** Copies, and shows for two seconds on the button whether that worked; screen readers are told too. */
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
  // An object, so that a second press starts the time anew.
  const [copied, setCopied] = useState<{ result: Result }>({ result: null });
  useEffect(() => {
    if (copied.result === null) return undefined;
    const timer = setTimeout(() => setCopied({ result: null }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const isCopied = await copyText(value);
    setCopied({ result: isCopied ? "copied" : "failed" });
    if (isCopied) onCopied?.();
  };
  const text = copied.result === null ? "" : copied.result === "copied" ? copiedLabel : failedLabel;
  return (
    <>
      <Button
        variant={variant}
        stretched={stretched}
        describedBy={describedBy}
        icon={<Icon name={copied.result === "copied" ? "check" : "copy"} size={18} />}
        onClick={() => void copy()}
      >
        {text || label}
      </Button>
      <span className="w-visually-hidden" role="status">
        {text}
      </span>
    </>
  );
}
