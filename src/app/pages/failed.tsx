import { useEffect } from "react";
import { useSearch } from "wouter";
import { useLocale, useT } from "../../shared/i18n/index.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { localePath } from "../../shared/i18n/locale.ts";
import { useUpdate } from "../../pwa/update-store.ts";
import { BoatPicture, BottomBar, Button } from "../../shared/ui/index.ts";
import { describeFailure } from "../failure.ts";
import "./message-page.css";
import { useReturn } from "./use-return.ts";

type FailedPageProps = {
  readonly path: string;
  readonly error: unknown;
  readonly retry: () => void;
  /** The request's, shown outside production alone (spec §2). */
  readonly headers?: Readonly<Record<string, string>> | null;
};

/** A page that couldn't be loaded: the status, the message, the address, and what support can find it by. */
export function FailedPage({ path, error, retry, headers = null }: FailedPageProps) {
  const t = useT("common");
  const search = useSearch();
  const fullPath = localePath(useLocale(), path) + (search === "" ? "" : `?${search}`);
  const { status, message, traceId, isUnreachable } = describeFailure(error);
  useReloadWhenGone();
  // What was refused with reason would be refused again.
  useReturn(isUnreachable || status >= 500, retry);
  return (
    <div className="w-message-page w-page">
      <BoatPicture />
      {isUnreachable ? null : <p className="w-message-page__code">{t("failed.code", { status })}</p>}
      <h1 className="w-message-page__title">{isUnreachable ? t("failed.offlineTitle") : t("failed.title")}</h1>
      <p className="w-message-page__text">{isUnreachable ? t("failed.offlineText") : t("failed.text")}</p>
      {message === null || isUnreachable ? null : (
        <p className="w-message-page__hint">{t("failed.message", { message })}</p>
      )}
      <p className="w-message-page__hint">{t("failed.path", { path: fullPath })}</p>
      {traceId === null ? null : <p className="w-message-page__hint w-mono">{t("failed.trace", { traceId })}</p>}
      <div className="w-message-page__actions">
        <BottomBar>
          <Button onClick={isOwnFault(error) ? () => location.reload() : retry}>{t("failed.retry")}</Button>
        </BottomBar>
      </div>
      {headers === null ? null : <Headers headers={headers} />}
    </div>
  );
}

/** Its code could not be loaded or broke: the same code would fail again. */
const isOwnFault = (error: unknown): boolean => error instanceof Error && !(error instanceof CallError);

/** A page whose code has gone with its build comes with the new one; nothing that was typed stands here. */
function useReloadWhenGone(): void {
  const isGone = useUpdate()?.isNeeded === true;
  useEffect(() => {
    if (isGone) void import("../../pwa/reload.ts").then(({ reloadIntoUpdate }) => reloadIntoUpdate());
  }, [isGone]);
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const t = useT("common");
  return (
    <details className="w-message-page__headers">
      <summary>{t("failed.headers")}</summary>
      <dl className="w-mono">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
