import { useTranslation } from "react-i18next";
import { AccountIcon, Button, Icon, IconButton } from "../../../shared/ui/index.ts";
import { PAGE_SIZE, pageLinks } from "./history-query.ts";

type PagesProps = {
  readonly total: number;
  readonly page: number;
  /** Each page has a button of its own. */
  readonly isNumbered: boolean;
  readonly onPage: (page: number) => void;
};

/** Where in the list one is, and the way to its other parts. */
export function Pages({ total, page, isNumbered, onPage }: PagesProps) {
  const { t } = useTranslation("order");
  const first = (page - 1) * PAGE_SIZE + 1;
  if (total === 0 || first > total) return null;
  const last = Math.min(total, page * PAGE_SIZE);
  const count = Math.ceil(total / PAGE_SIZE);
  const turn = { page, count, onPage };
  return (
    <nav className="w-history__pages" aria-label={t("history.pages")}>
      <p className="w-number" role="status">
        {t("history.range", { first, last, total })}
      </p>
      {count === 1 ? null : isNumbered ? <NumberedPages {...turn} /> : <NextPages {...turn} />}
    </nav>
  );
}

type TurnProps = Pick<PagesProps, "page" | "onPage"> & { readonly count: number };

function NextPages({ page, count, onPage }: TurnProps) {
  const { t } = useTranslation("order");
  return (
    <>
      <Button variant="soft" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t("history.previous")}
      </Button>
      <Button variant="soft" disabled={page === count} onClick={() => onPage(page + 1)}>
        {t("history.next")}
      </Button>
    </>
  );
}

function NumberedPages({ page, count, onPage }: TurnProps) {
  const { t } = useTranslation("order");
  const links = pageLinks(page, count);
  return (
    <>
      <IconButton
        label={t("history.previous")}
        icon={<AccountIcon name="back" />}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      {links.map((link, at) =>
        link === null ? (
          <span key={`after ${links[at - 1]}`} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={link}
            type="button"
            className="w-history__page w-number"
            aria-label={t("history.page", { page: link })}
            aria-current={link === page ? "page" : undefined}
            onClick={() => onPage(link)}
          >
            {link}
          </button>
        ),
      )}
      <IconButton
        label={t("history.next")}
        icon={<Icon name="chevron-right" />}
        disabled={page === count}
        onClick={() => onPage(page + 1)}
      />
    </>
  );
}
