import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useLocale } from "../../../shared/i18n/index.ts";
import { localePath } from "../../../shared/i18n/locale.ts";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { Button, CopyButton, Icon } from "../../../shared/ui/index.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { share } from "../../../telegram/share.ts";
import type { ArticleData } from "../load.ts";
import "./article-end.css";

/** What follows an article's text: its tags, ways to share it, and its neighbours. */
export function ArticleEnd({ data: { section, article } }: { readonly data: ArticleData }) {
  const { t } = useTranslation("content");
  return (
    <footer className="w-article-end">
      {article.tags.length === 0 ? null : (
        <ul className="w-article-end__tags" aria-label={t("article.tags")}>
          {article.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      <ShareArticle title={article.title} path={`/${section}/${article.slug}`} />
      <nav className="w-article-end__neighbours" aria-label={t("article.neighbours")}>
        {article.previous === null ? null : (
          <Link href={`/${section}/${article.previous.slug}`} rel="prev">
            <span>{t("article.previous")}</span>
            {article.previous.title}
          </Link>
        )}
        {article.next === null ? null : (
          <Link href={`/${section}/${article.next.slug}`} rel="next">
            <span>{t("article.next")}</span>
            {article.next.title}
          </Link>
        )}
      </nav>
    </footer>
  );
}

type ShareProps = { readonly title: string; readonly path: string };

function ShareArticle({ title, path }: ShareProps) {
  const { t } = useTranslation("content");
  const { miniAppUrl } = useExternalLinks();
  const ownPath = localePath(useLocale(), path);
  const isHydrated = useHydrated();
  const url = isHydrated ? location.origin + ownPath : ownPath;
  const [said, say] = useBrief();
  const pass = async () => {
    const result = await share({ title, url, path, miniAppUrl });
    if (result !== "shared") say(t(result === "copied" ? "share.copied" : "share.notCopied"));
  };
  return (
    <div className="w-article-end__share">
      <Button variant="soft" icon={<Icon name="share" size={18} />} onClick={() => void pass()}>
        {said || t("share.share")}
      </Button>
      {isHydrated && isTelegram() ? null : (
        <Button variant="outline" icon={<Icon name="telegram" size={18} />} href={telegramShare(url, title)} isNewTab>
          {t("share.telegram")}
        </Button>
      )}
      <CopyButton
        value={url}
        variant="outline"
        label={t("share.copy")}
        copiedLabel={t("share.copied")}
        failedLabel={t("share.notCopied")}
      />
      <span className="w-visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}

const telegramShare = (url: string, text: string): string =>
  `https://t.me/share/url?${new URLSearchParams({ url, text }).toString()}`;

const BRIEF_MS = 2_000;

/** A text for two seconds. */
function useBrief(): [text: string, say: (text: string) => void] {
  const [said, setSaid] = useState({ text: "" });
  useEffect(() => {
    if (said.text === "") return undefined;
    const timer = setTimeout(() => setSaid({ text: "" }), BRIEF_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said.text, (text) => setSaid({ text })];
}
