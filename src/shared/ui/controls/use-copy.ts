import { useEffect, useState } from "react";
import { copyText } from "../../browser/clipboard.ts";

const SHOWN_MS = 2_000;

export type CopyResult = "copied" | "failed" | null;

/** Copies a value, and keeps for two seconds whether that worked. */
export function useCopy(value: string, onCopied?: () => void): { result: CopyResult; copy: () => Promise<void> } {
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
