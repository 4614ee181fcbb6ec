import { useTranslation } from "react-i18next";
import { Icon, LogoTile, VisuallyHidden } from "../../shared/ui/index.ts";
import { useLocale } from "../../shared/i18n/index.ts";
import { localePath } from "#contract/locale.ts";

type EmbedFooterProps = {
  /** The page of the site that shows what is on the screen, with its query. */
  readonly path: string;
  readonly referrer: string | null;
};

/** Whose exchange it is, and the same screen as a page of the site, in a new tab. */
export function EmbedFooter({ path, referrer }: EmbedFooterProps) {
  const { t } = useTranslation("embed");
  const locale = useLocale();
  const home = referrer === null ? "/" : `/?${new URLSearchParams({ ref: referrer }).toString()}`;
  return (
    <footer className="w-embed__footer" aria-label={`${t("by")} Wherry`}>
      <a className="w-embed__brand" href={localePath(locale, home)} target="_blank" rel="noopener">
        <LogoTile size={22} />
        <span>
          {t("by")} <strong>Wherry</strong>
        </span>
      </a>
      <a className="w-embed__tab" href={localePath(locale, path)} target="_blank" rel="noopener">
        <span className="w-embed__tab-label" aria-hidden="true">
          {t("newTab")}
        </span>
        <VisuallyHidden>{t("newTabHint")}</VisuallyHidden>
        <Icon name="new-tab" size={16} />
      </a>
    </footer>
  );
}
