import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../../shared/i18n/index.ts";
import type { Locale } from "#contract/locale.ts";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import { usePageData } from "../../../shared/page/page-context.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { Button, Note, Skeleton } from "../../../shared/ui/index.ts";
import { type ContentsEntry, TableOfContents } from "../article/table-of-contents.tsx";
import { API_REFERENCE } from "../docs/api-pages.ts";
import { DocsFrame } from "../docs/docs-frame.tsx";
import type { ContentData } from "../load.ts";
import type { Reference } from "../model/openapi.ts";
import { blocksOf } from "../model/plain-markdown.ts";
import { headingId } from "./described.tsx";
import "./api-reference.css";

const Calls = lazyWithPreload(
  "src/features/content/api-reference/reference-calls.tsx",
  async () => (await import("./reference-calls.tsx")).ReferenceCalls,
);

/** What the document that the server publishes is written in. */
const REFERENCE_LOCALE: Locale = "en";

/** `/docs/api`: every signed call, from the server's own document, which the browser loads after the page. */
export function ApiReferencePage() {
  const data = usePageData<ContentData>();
  const { t } = useTranslation("api");
  const { reference, hasFailed, load } = useReference();
  const isTranslated = useLocale() !== REFERENCE_LOCALE;
  const ends = {
    deliveries: t("reference.deliveries"),
    failures: t("reference.failuresTitle"),
    objects: t("reference.objects"),
  };
  return (
    <DocsFrame
      data={data}
      current={API_REFERENCE}
      contents={<TableOfContents entries={tocOf(reference, ends)} className="w-docs__contents" />}
    >
      <h1 className="w-docs__title">{t("reference.title")}</h1>
      <p className="w-docs__lead">{t("reference.lead")}</p>
      {isTranslated ? <p className="w-docs__lead">{t("reference.inEnglish")}</p> : null}
      <p className="w-reference__links">
        <a href="/api/v2/partner/openapi.json">OpenAPI 3.1</a> <a href="/sdk/wherry.ts">{t("reference.client")}</a>
      </p>
      {reference === null ? <Waiting hasFailed={hasFailed} load={load} /> : <Calls.Component reference={reference} />}
    </DocsFrame>
  );
}

type WaitingProps = { readonly hasFailed: boolean; readonly load: () => void };

function Waiting({ hasFailed, load }: WaitingProps) {
  const { t } = useTranslation("api");
  const { t: common } = useTranslation("common");
  const isOnline = useOnline();
  if (!hasFailed)
    return (
      <div className="w-reference__waiting" aria-busy="true">
        <p className="w-visually-hidden" role="status">
          {t("reference.loading")}
        </p>
        {PLACES.map((place) => (
          <Skeleton key={place} width="100%" height={160} />
        ))}
      </div>
    );
  return (
    <Note
      tone="danger"
      title={t("reference.failed")}
      action={
        <Button variant="soft" onClick={load}>
          {common("failed.retry")}
        </Button>
      }
    >
      {t(isOnline ? "reference.failedText" : "reference.offline")}
    </Note>
  );
}

const PLACES = [1, 2, 3];

function useReference(): { reference: Reference | null; hasFailed: boolean; load: () => void } {
  const isHydrated = useHydrated();
  const isOnline = useOnline();
  const [reference, setReference] = useState<Reference | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const load = useCallback(() => {
    setFailed(false);
    loadReference()
      .then(setReference)
      .catch((error: unknown) => {
        console.warn("the reference can't be loaded", error);
        setFailed(true);
      });
  }, []);
  const isMissing = reference === null;
  useEffect(() => {
    if (isHydrated && isMissing && isOnline) load();
    if (isHydrated && isMissing && !isOnline) setFailed(true);
  }, [isHydrated, isMissing, isOnline, load]);
  return { reference, hasFailed, load };
}

const tocOf = (reference: Reference | null, ends: Ends): ContentsEntry[] =>
  reference === null
    ? []
    : [
        ...blocksOf(reference.introduction).flatMap((block) =>
          block.kind === "heading"
            ? [{ id: headingId(block.text), text: block.text, depth: 2 as const, lang: REFERENCE_LOCALE }]
            : [],
        ),
        ...reference.groups.flatMap(({ name, title, operations }) => [
          { id: `group-${name}`, text: title, depth: 2 as const, lang: REFERENCE_LOCALE },
          ...operations.map(({ id, method, path }) => ({
            id,
            text: `${method} ${shortPath(path)}`,
            depth: 3 as const,
            lang: REFERENCE_LOCALE,
          })),
        ]),
        { id: "deliveries", text: ends.deliveries, depth: 2 },
        { id: "failures", text: ends.failures, depth: 2 },
        { id: "objects", text: ends.objects, depth: 2 },
      ];

/** How the parts after the calls are headed. */
type Ends = { readonly deliveries: string; readonly failures: string; readonly objects: string };

/** With places to break at, so that no word of it is broken in a narrow column. */
const shortPath = (path: string): string => path.replace(/^\/api\/v2\/partner\//, "").replaceAll("/", "/\u200B");

const DOCUMENT = "/api/v2/partner/openapi.json";
const TIMEOUT_MS = 15_000;

/** What the server says of its own calls. Throws where it can't be had. */
async function loadReference(): Promise<Reference> {
  const [answer, { readReference }] = await Promise.all([
    fetch(DOCUMENT, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    import("../model/openapi.ts"),
  ]);
  if (!answer.ok) throw new Error(`the document of the partner API was answered ${answer.status}`);
  return readReference(await answer.json());
}
