import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AccountIcon, Icon, IconButton, Skeleton } from "../../../shared/ui/index.ts";
import { PAGE_SIZE, useInstruments } from "../api.ts";
import type { Seen } from "../../../shared/account/last-seen.ts";
import type { Movement } from "../model/movements.ts";
import { MovementRow } from "./movement-row.tsx";
import { showFromStart } from "../../../shared/page/show-from-start.ts";
import { RetryButton, SeenAt } from "../../../shared/account/seen-note.tsx";
import "./earnings.css";
import "./paged-list.css";

type PagedListProps = {
  readonly userId: number;
  readonly title: string;
  readonly page: Seen<{ readonly items: readonly Movement[]; readonly total: number }>;
  /** Of the first row; null for a list that has one page. */
  readonly offset: number | null;
  readonly onOffset?: (offset: number) => void;
  /** How the first row comes about. */
  readonly emptyText: string;
};

/** A list of what came into the wallet and what left it, a page at a time. */
export function PagedList({ userId, title, page, offset, onOffset, emptyText }: PagedListProps) {
  const id = useId();
  const list = useRef<HTMLElement>(null);
  const turn = (to: number) => {
    onOffset?.(to);
    // The button that was pressed may be disabled on the page that it leads to.
    showFromStart(list.current);
  };
  return (
    <section ref={list} className="w-earnings__list" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id} className="w-earnings__title">
        {title}
      </h2>
      <div className="w-earnings__card" aria-busy={page.data === undefined && !page.hasFailed}>
        <Rows userId={userId} page={page} emptyText={emptyText} />
        {offset !== null && page.data !== undefined && page.data.total > PAGE_SIZE ? (
          <Pager offset={offset} count={page.data.items.length} total={page.data.total} onOffset={turn} />
        ) : null}
      </div>
      {page.data === undefined || page.seenAt === null ? null : (
        <p className="w-earnings__footer">
          <SeenAt at={page.seenAt} />
        </p>
      )}
    </section>
  );
}

function Rows({ userId, page, emptyText }: Pick<PagedListProps, "userId" | "page" | "emptyText">) {
  const { t } = useTranslation("earnings");
  const { data: instruments } = useInstruments(userId);
  if (page.data?.total === 0) return <p className="w-earnings__empty">{emptyText}</p>;
  if (page.data !== undefined)
    return (
      <ul>
        {page.data.items.map((movement) => (
          <MovementRow key={`${movement.source} ${movement.id}`} movement={movement} instruments={instruments} />
        ))}
      </ul>
    );
  if (!page.hasFailed) return <GreyRows />;
  return (
    <div className="w-earnings__empty">
      <p>{t("list.failed")}</p>
      <RetryButton of={[page]} />
    </div>
  );
}

const ROWS = [0, 1, 2];

/** In place of rows that are on their way; seen only when that takes long. */
export const GreyRows = () => (
  <div className="w-earnings__grey">
    {ROWS.map((row) => (
      <Skeleton key={row} width="100%" height={40} />
    ))}
  </div>
);

type PagerProps = {
  readonly offset: number;
  readonly count: number;
  readonly total: number;
  readonly onOffset: (offset: number) => void;
};

function Pager({ offset, count, total, onOffset }: PagerProps) {
  const { t } = useTranslation("earnings");
  return (
    <div className="w-earnings__pager">
      <p className="w-number" role="status">
        {t("list.range", { from: offset + 1, to: offset + count, total })}
      </p>
      <IconButton
        label={t("list.previous")}
        icon={<AccountIcon name="back" />}
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - PAGE_SIZE))}
      />
      <IconButton
        label={t("list.next")}
        icon={<Icon name="chevron-right" />}
        disabled={offset + count >= total}
        onClick={() => onOffset(offset + PAGE_SIZE)}
      />
    </div>
  );
}
