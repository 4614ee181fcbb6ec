import { type ComponentType, lazy, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { mayPrefetch } from "../browser/prefetch.ts";
import { useI18n } from "../i18n/index.ts";
import type { Namespace } from "../i18n/namespaces.ts";
import { loadMessages } from "../i18n/messages.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { FailureNote } from "./failure-note.tsx";
import type { I18n } from "../i18n/create-i18n.ts";
import { DeferredHydrationProvider } from "./use-hydrated.ts";

export type Preloadable = {
  /** Source path of the component's module, as the build's manifest knows it: a rendered page preloads its chunk. */
  readonly module: string;
  /** Loads code and messages; afterwards the component renders without suspending. */
  readonly preload: (i18n: I18n) => Promise<void>;
  /** Preloads ahead of need, where the connection bears it. A failure is only logged: rendering tries again. */
  readonly prefetch: (i18n: I18n) => void;
};

export type LazyComponent<Props extends object = object> = Preloadable & {
  /** Suspends until its code and messages are there, unless they were preloaded; where they don't come, says so and offers to try again. */
  readonly Component: ComponentType<Props>;
};

/** `React.lazy` with a preload of the code and its messages, so that the server renders it and a navigation shows it at once. */
export function lazyWithPreload<Props extends object = object>(
  module: string,
  load: () => Promise<ComponentType<Props>>,
  namespaces: readonly Namespace[] = [],
): LazyComponent<Props> {
  // By instance, because each request and each test has its own messages.
  const loaded = new WeakMap<I18n, ComponentType<Props>>();
  const lazies = new WeakMap<I18n, ComponentType<Props>>();

  const loadAll = async (i18n: I18n): Promise<ComponentType<Props>> => {
    const [component] = await Promise.all([load(), loadMessages(i18n, namespaces)]);
    loaded.set(i18n, component);
    return component;
  };
  const preload = async (i18n: I18n): Promise<void> => {
    if (!loaded.has(i18n)) await loadAll(i18n);
  };
  const prefetch = (i18n: I18n): void => {
    if (!mayPrefetch()) return;
    preload(i18n).catch((error: unknown) => console.debug(`${module} can't be loaded yet`, error));
  };
  const lazyFor = (i18n: I18n): ComponentType<Props> => {
    const known = lazies.get(i18n);
    if (known !== undefined) return known;
    // One that failed stays, or React, which renders again what threw, would load it again and again.
    const created = lazy(async () => ({ default: await loadAll(i18n) }));
    lazies.set(i18n, created);
    return created;
  };
  const Part = (props: Props) => {
    const i18n = useI18n();
    const [Loaded] = useState(() => loaded.get(i18n) ?? lazyFor(i18n));
    return (
      <DeferredHydrationProvider>
        <Loaded {...props} />
      </DeferredHydrationProvider>
    );
  };
  const forget = (i18n: I18n): void => void lazies.delete(i18n);
  const Component = (props: Props) => (
    <ErrorBoundary renderFallback={(_, retry) => <LoadFailure forget={forget} retry={retry} />}>
      <Part {...props} />
    </ErrorBoundary>
  );
  return { module, preload, prefetch, Component };
}

type LoadFailureProps = { readonly forget: (i18n: I18n) => void; readonly retry: () => void };

/** The next mount tries again, as the button does. */
function LoadFailure({ forget, retry }: LoadFailureProps) {
  const { t } = useTranslation("common");
  const i18n = useI18n();
  useEffect(() => () => forget(i18n), [forget, i18n]);
  const retryAnew = () => {
    forget(i18n);
    retry();
  };
  return (
    <FailureNote title={t("part.failed")} text={t("part.text")} retryLabel={t("failed.retry")} onRetry={retryAnew} />
  );
}
