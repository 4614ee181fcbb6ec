import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatAge, formatDateTime } from "../format/format-time.ts";
import { useOnline } from "../browser/connectivity.ts";
import { useLocale } from "../i18n/index.ts";
import { useTimeZone } from "../page/use-hydrated.ts";
import { Button, Note } from "../ui/index.ts";
import type { Seen } from "./last-seen.ts";

type SeenNoteProps = { readonly of: readonly Omit<Seen<unknown>, "data">[] };

/** Says of a page what could not be loaded, and how old what stands in its place is; nothing while all is new. */
export function SeenNote({ of }: SeenNoteProps) {
  const { t } = useTranslation("account");
  const isOnline = useOnline();
  const isMissing = of.some(({ hasFailed }) => hasFailed);
  const oldest = of.flatMap(({ seenAt }) => (seenAt === null ? [] : [seenAt])).toSorted()[0];
  if (!isMissing && oldest === undefined) return null;
  if (!isOnline)
    return (
      <Note tone="info" title={t("seen.offline")}>
        {oldest === undefined ? t("seen.never") : <SeenAt at={oldest} />}
      </Note>
    );
  return (
    <Note
      tone={isMissing ? "danger" : "info"}
      title={t(isMissing ? "seen.failed" : "seen.outdated")}
      action={<RetryButton of={of} />}
    >
      {oldest === undefined ? t("seen.safe") : <SeenAt at={oldest} />}
    </Note>
  );
}

/** Loads all of them anew. */
export function RetryButton({ of }: SeenNoteProps) {
  const { t } = useTranslation("account");
  return (
    <Button
      variant="soft"
      onClick={() => of.forEach(({ reload }) => void reload())}
      busyLabel={of.some(({ isLoading }) => isLoading) ? t("seen.loading") : null}
    >
      {t("seen.retry")}
    </Button>
  );
}

/** When something was seen last, and how long ago that is. */
export function SeenAt({ at }: { readonly at: string }) {
  const { t } = useTranslation("account");
  const { t: common } = useTranslation("common");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const [now] = useState(() => Date.now());
  const age = formatAge(common, Math.max(0, (now - Date.parse(at)) / 1_000));
  return <span className="w-number">{t("seen.at", { time: formatDateTime(at, locale, { timeZone }), age })}</span>;
}
