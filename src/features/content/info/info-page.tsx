import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PageAnswer, PageSection } from "#contract/site/pages.ts";
import { usePageData } from "../../../shared/page/page-context.ts";
import { Button } from "../../../shared/ui/index.ts";
import { ShareLinks } from "../../../telegram/share-links.tsx";
import { ArticleBody } from "../article/article-body.tsx";
import { TableOfContents } from "../article/table-of-contents.tsx";
import { formatDate } from "../model/format-date.ts";
import "./info-page.css";
import type { InfoData } from "./load.ts";
import { OperatorCard } from "./operator-card.tsx";
import { QuestionList } from "./question-list.tsx";

/** Where the pages that invite to something lead. */
const ACTIONS = {
  "how-it-works": "/",
  affiliate: "/profile/affiliate-program",
  cashback: "/profile/cashback",
  wallet: "/profile/wallet",
} as const;

const isWithAction = (name: string): name is keyof typeof ACTIONS => name in ACTIONS;

/** A page about the exchange itself: its text, its sections, and who runs the exchange. */
export function InfoPage() {
  const { name, page } = usePageData<InfoData>();
  const { t } = useTranslation("info");
  return (
    <InfoLayout
      page={page}
      action={isWithAction(name) ? <Button href={ACTIONS[name]}>{t(`action.${name}`)}</Button> : null}
    >
      {page.html === "" ? null : <ArticleBody html={page.html} className="w-info__text" />}
      {page.sections.map((section) => (
        <InfoSection key={section.id} section={section} />
      ))}
      {name === "affiliate" ? <ShareLinks title={page.title} path="/affiliate" /> : null}
    </InfoLayout>
  );
}

type InfoLayoutProps = {
  readonly page: PageAnswer;
  readonly action?: ReactNode;
  /** Those of the text that are shown. */
  readonly sections?: PageAnswer["sections"];
  /** Sections that stand below those of the text. */
  readonly more?: readonly { readonly id: string; readonly title: string }[];
  readonly children: ReactNode;
};

/** The head, the column of the text, and beside it the contents and the operator. */
export function InfoLayout({ page, action = null, sections = page.sections, more = [], children }: InfoLayoutProps) {
  const { t } = useTranslation("info");
  const entries = [...sections, ...more].map(({ id, title }) => ({ id, text: title, depth: 2 as const }));
  return (
    <div className="w-page w-info">
      <header className="w-info__head">
        <h1>{page.title}</h1>
        <p>{page.description}</p>
        {page.updatedAt === null ? null : (
          <p className="w-info__version">{t("version", { date: formatDate(page.updatedAt, t("months")) })}</p>
        )}
        {action}
      </header>
      <div className="w-info__columns">
        <div className="w-info__main">{children}</div>
        <div className="w-info__side">
          <TableOfContents entries={entries} className="w-info__contents" />
          <OperatorCard page={page} />
        </div>
      </div>
    </div>
  );
}

export const InfoSection = ({ section: { id, title, html, questions } }: { readonly section: PageSection }) => (
  <section className="w-info__section" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {html === "" ? null : <ArticleBody html={html} className="w-info__text" />}
    <QuestionList questions={questions} />
  </section>
);
