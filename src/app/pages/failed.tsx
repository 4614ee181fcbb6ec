import { useEffect } from "react";
import { useSearch } from "wouter";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../shared/browser/connectivity.ts";
import { useLocale } from "../../shared/i18n/index.ts";
import { CallError } from "../../shared/http/call-error.ts";
import { localePath } from "#contract/locale.ts";
import { useAutomaticRetry } from "../../shared/page/use-automatic-retry.ts";
import { useUpdate } from "../../pwa/update-store.ts";
import { AroundForeignText, BoatIllustration, BottomBar, Placeholder, PrimaryAction } from "../../shared/ui/index.ts";
import { describeError } from "../router/page-error.ts";
import "./message-page.css";

type FailedPageProps = {
  readonly path: string;
  readonly error: unknown;
  readonly retry: () => void;
  /** The request's headers, shown outside production only (spec §2). */
  readonly headers?: Readonly<Record<string, string>> | null;
};

/** A page that could not be loaded: status, message, URL, and the trace id for support. */
export function FailedPage({ path, error, retry, headers = null }: FailedPageProps) {
  const { t } = useTranslation("common");
  const search = useSearch();
  const fullPath = localePath(useLocale(), path) + (search === "" ? "" : `?${search}`);
  const { status, message, traceId, ...described } = describeError(error);
  // Without a network the page's code doesn't come either.
  const isUnreachable = useIsOffline(error) || described.isUnreachable;
  const reason = useOnline() ? "unreachableText" : "offlineText";
  useReloadIntoUpdate();
  // A coded refusal would come again.
  useAutomaticRetry(isUnreachable || status >= 500, retry);
  return (
    <Placeholder className="w-message-page w-page">
      <BoatIllustration />
      {isUnreachable ? null : <p className="w-message-page__code">{t("failed.code", { status })}</p>}
      <h1 className="w-message-page__title">{isUnreachable ? t("failed.offlineTitle") : t("failed.title")}</h1>
      <p className="w-message-page__text">{t(`failed.${isUnreachable ? reason : "text"}`)}</p>
      {message === null || isUnreachable ? null : (
        <p className="w-message-page__hint">
          <AroundForeignText sentence={t("failed.message", { message: "\n" })} text={message} />
        </p>
      )}
      <p className="w-message-page__hint">
        <AroundForeignText sentence={t("failed.path", { path: "\n" })} text={fullPath} />
      </p>
      {traceId === null ? null : <p className="w-message-page__hint w-mono">{t("failed.trace", { traceId })}</p>}
      <div className="w-message-page__actions">
        <BottomBar>
          <PrimaryAction onClick={isAppError(error) ? () => location.reload() : retry}>
            {t("failed.retry")}
          </PrimaryAction>
        </BottomBar>
      </div>
      {headers === null ? null : <Headers headers={headers} />}
    </Placeholder>
  );
}

/** The page's code could not be loaded or threw: only a reload can help. */
const isAppError = (error: unknown): boolean => error instanceof Error && !(error instanceof CallError);

const useIsOffline = (error: unknown): boolean => !useOnline() && isAppError(error);

/** A page whose chunk was removed with its build loads with the new build; nothing typed is lost here. */
function useReloadIntoUpdate(): void {
  const isChunkGone = useUpdate()?.isNeeded === true;
  useEffect(() => {
    if (isChunkGone) void import("../../pwa/reload.ts").then(({ reloadIntoUpdate }) => reloadIntoUpdate());
  }, [isChunkGone]);
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const { t } = useTranslation("common");
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
