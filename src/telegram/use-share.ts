import { useEffect, useState } from "react";
import { useExternalLinks } from "../shared/page/page-context.ts";
import { share, type SharedPage } from "./share.ts";

const MESSAGE_MS = 2_000;

type Texts = { readonly copied: string; readonly notCopied: string };

/** Shares a page in a click handler. Where its link is only copied, `message` says for two seconds whether that worked. */
export function useShare({ copied, notCopied }: Texts): {
  message: string;
  share: (page: Omit<SharedPage, "miniAppUrl">) => Promise<void>;
} {
  const { miniAppUrl } = useExternalLinks();
  // An object, so that the same text begins its time anew.
  const [message, setMessage] = useState({ text: "" });
  useEffect(() => {
    if (message.text === "") return undefined;
    const timer = setTimeout(() => setMessage({ text: "" }), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return {
    message: message.text,
    share: async (page) => {
      const result = await share({ ...page, miniAppUrl });
      if (result !== "shared") setMessage({ text: result === "copied" ? copied : notCopied });
    },
  };
}
