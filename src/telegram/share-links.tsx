import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "../shared/i18n/index.ts";
import { localePath } from "../shared/i18n/locale.ts";
import { useExternalLinks } from "../shared/page/page-context.ts";
import { useHydrated } from "../shared/page/use-hydrated.ts";
import { Button, CopyButton, Icon } from "../shared/ui/index.ts";
import { isTelegram } from "./is-telegram.ts";
import { share } from "./share.ts";
import "./share-links.css";

type ShareLinksProps = {
  /** What the link leads to, in the reader's language. */
  readonly title: string;
  /** The page's path without its language. */
  readonly path: string;
};

/** Passes a page on: by the device's share sheet, in Telegram, or by copying its link. */
export function ShareLinks({ title, path }: ShareLinksProps) {
  const { t } = useTranslation("share");
  const isHydrated = useHydrated();
  const url = useShownUrl(path);
  return (
    <div className="w-share-links">
      <ShareButton title={title} path={path} />
      {isHydrated && isTelegram() ? null : (
        <Button variant="outline" icon={<Icon name="telegram" size={18} />} href={telegramShare(url, title)} isNewTab>
          {t("telegram")}
        </Button>
      )}
      <CopyButton
        value={url}
        variant="outline"
        label={t("copy")}
        copiedLabel={t("copied")}
        failedLabel={t("notCopied")}
      />
    </div>
  );
}

/** The device's share sheet alone; where it has none, the link is copied. */
export function ShareButton({ title, path }: ShareLinksProps) {
  const { t } = useTranslation("share");
  const { miniAppUrl } = useExternalLinks();
  const url = useShownUrl(path);
  const [said, say] = useBrief();
  const pass = async () => {
    const result = await share({ title, url, path, miniAppUrl });
    if (result !== "shared") say(t(result === "copied" ? "copied" : "notCopied"));
  };
  return (
    <>
      <Button variant="soft" icon={<Icon name="share" size={18} />} onClick={() => void pass()}>
        {said || t("share")}
      </Button>
      <span className="w-visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

/** The page's address in the reader's language; whole once the page knows where it is served. */
function useShownUrl(path: string): string {
  const ownPath = localePath(useLocale(), path);
  return useHydrated() ? location.origin + ownPath : ownPath;
}

/** Telegram's own page for sharing, which opens its app where it is installed. */
const telegramShare = (url: string, text: string): string =>
  `https://t.me/share/url?${new URLSearchParams({ url, text }).toString()}`;

const BRIEF_MS = 2_000;

/** A text for two seconds. */
function useBrief(): [text: string, say: (text: string) => void] {
  // An object, so that the same text begins its time anew.
  const [said, setSaid] = useState({ text: "" });
  useEffect(() => {
    if (said.text === "") return undefined;
    const timer = setTimeout(() => setSaid({ text: "" }), BRIEF_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said.text, (text) => setSaid({ text })];
}
