import { useEffect, useState } from "react";
import type { Api } from "#contract/site/ssr.ts";
import type { CalculatorData } from "../../features/exchange/load.ts";
import type { WidgetSettings } from "../../features/widget/model/widget-settings.ts";
import { useI18n } from "../../shared/i18n/index.ts";
import { abortOnCleanup } from "../../shared/page/abort-on-cleanup.ts";
import type { EmbedScreen } from "./embed-data.ts";

type Given = {
  /** Null where the server could not load it. */
  readonly first: { readonly data: CalculatorData; readonly now: string } | null;
  readonly widget: WidgetSettings;
  readonly api: Api;
};

/** Follows the widget's location: the old screen stays until the new one is loaded. */
export function useEmbedScreen(
  { path, search }: { readonly path: string; readonly search: string },
  { first, widget, api }: Given,
): { readonly screen: EmbedScreen; readonly retry: () => void } {
  const i18n = useI18n();
  const [screen, setScreen] = useState<EmbedScreen>(
    first === null ? { kind: "failed", of: path } : { kind: "calculator", ...first },
  );
  const [isRetried, setRetried] = useState(false);
  // All pairs share one screen: what its address says beyond that is the calculator's own.
  const isOrder = path.startsWith("/order/");
  const order = isOrder ? `${path.slice("/order/".length)}?${search}` : null;
  const isCurrent =
    screen.kind === "failed"
      ? screen.of === path && !isRetried
      : order === (screen.kind === "order" ? screen.key : null);

  useEffect(() => {
    if (isCurrent) return undefined;
    return abortOnCleanup(async (signal) => {
      const next = await load({ path, search });
      if (signal.aborted) return;
      setRetried(false);
      setScreen(next);
    });

    async function load(location: { path: string; search: string }): Promise<EmbedScreen> {
      try {
        return await (await import("./load-screen.ts")).loadScreen(location, { widget, api, i18n });
      } catch (error) {
        console.warn("the widget's next screen can't be loaded", error);
        return { kind: "failed", of: location.path };
      }
    }
  }, [isCurrent, i18n, path, search, widget, api]);

  return { screen, retry: () => setRetried(true) };
}
