import { useTranslation } from "react-i18next";
import { useLocale } from "../shared/i18n/index.ts";
import { localePath } from "#contract/locale.ts";
import { useHydrated } from "../shared/page/use-hydrated.ts";
import { Button, CopyButton, Icon } from "../shared/ui/index.ts";
import { isTelegram } from "./is-telegram.ts";
import { telegramShareUrl } from "./share.ts";
import { useShare } from "./use-share.ts";
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
        <Button
          variant="outline"
          icon={<Icon name="telegram" size={18} />}
          href={telegramShareUrl(url, title)}
          isNewTab
        >
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
  const url = useShownUrl(path);
  const { message, share } = useShare({ copied: t("copied"), notCopied: t("notCopied") });
  return (
    <>
      <Button variant="soft" icon={<Icon name="share" size={18} />} onClick={() => void share({ title, url, path })}>
        {message || t("share")}
      </Button>
      <span className="w-visually-hidden" role="status">
        {message}
      </span>
    </>
  );
}

/** The page's address in the reader's language; whole once the page knows where it is served. */
function useShownUrl(path: string): string {
  const ownPath = localePath(useLocale(), path);
  return useHydrated() ? location.origin + ownPath : ownPath;
}
