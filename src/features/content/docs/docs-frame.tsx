import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Dialog } from "../../../shared/ui/index.ts";
import type { ContentData } from "../load.ts";
import { DocsNavigation } from "./docs-navigation.tsx";
import { ArticleSearch } from "../search/article-search.tsx";
import "./docs.css";

type DocsFrameProps = {
  readonly data: ContentData;
  /** Which page this is: an article's slug, empty for the overview. */
  readonly current: string;
  /** The sections of this page, on the right. */
  readonly contents: ReactNode;
  readonly children: ReactNode;
};

/** A page of the docs: every page on the left, the sections of this one on the right. */
export function DocsFrame({ data, current, contents, children }: DocsFrameProps) {
  return (
    <div className="w-page w-docs">
      <div className="w-docs__side">
        <ArticleSearch section="docs" />
        <div className="w-docs__navigation">
          <DocsNavigation data={data} current={current} />
        </div>
      </div>
      <div className="w-docs__main">
        <MenuButton data={data} current={current} />
        {children}
      </div>
      {contents}
    </div>
  );
}

/** Where the left list has no room, it is a sheet. */
function MenuButton({ data, current }: Pick<DocsFrameProps, "data" | "current">) {
  const { t } = useTranslation("content");
  const [openAt, setOpenAt] = useState<ContentData | null>(null);
  // The sheet belongs to the page on which it was opened: a choice closes it.
  return (
    <div className="w-docs__menu">
      <Button variant="outline" onClick={() => setOpenAt(data)}>
        {t("docs.menu")}
      </Button>
      <Dialog open={openAt === data} onClose={() => setOpenAt(null)} title={t("docs.title")}>
        <DocsNavigation data={data} current={current} onChosen={() => setOpenAt(null)} />
      </Dialog>
    </div>
  );
}
