import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "../graphics/icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { useEffect, useState } from "react";
import { copyText } from "../../browser/clipboard.ts";

export type CopyButtonProps = Pick<ButtonProps, "stretched" | "variant" | "describedBy"> & {
  /** Copied as it is, without the spaces that are displayed. */
  readonly value: string;
  readonly label: string;
  readonly copiedLabel: string;
  /** Shown where the browser denies copying. */
  readonly failedLabel: string;
  readonly onCopied?: () => void;
};

/** Copies, and shows for two seconds on the button whether that worked; screen readers read it out too. */
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
  const { result, copy } = useCopy(value, onCopied);
  const text = result === null ? "" : result === "copied" ? copiedLabel : failedLabel;
  return (
    <>
      <Button
        variant={variant}
        stretched={stretched}
        describedBy={describedBy}
        icon={<Icon name={result === "copied" ? "check" : "copy"} size={18} />}
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

type CopyIconButtonProps = Pick<CopyButtonProps, "value" | "label" | "copiedLabel" | "failedLabel">;

/** The same where a label has no room: the icon shows that it worked, and screen readers read it out. */
export function CopyIconButton({ value, label, copiedLabel, failedLabel }: CopyIconButtonProps) {
  const { result, copy } = useCopy(value);
  return (
    <>
      <IconButton
        label={label}
        icon={<Icon name={result === null ? "copy" : result === "copied" ? "check" : "error"} size={20} />}
        onClick={() => void copy()}
      />
      <span className="w-visually-hidden" role="status">
        {result === null ? "" : result === "copied" ? copiedLabel : failedLabel}
      </span>
    </>
  );
}

const SHOWN_MS = 2_000;

type CopyResult = "copied" | "failed" | null;

/** Copies a value, and keeps for two seconds whether that worked. */
function useCopy(value: string, onCopied?: () => void): { result: CopyResult; copy: () => Promise<void> } {
  // An object, so that a second press starts the time anew.
  const [copied, setCopied] = useState<{ result: CopyResult }>({ result: null });
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
  return { result: copied.result, copy };
}
