import type { Api, SiteSettings } from "#contract/site/ssr.ts";
import type { CalculatorData } from "../../features/exchange/load.ts";
import type { OrderPageData } from "../../features/order/load.ts";
import type { WidgetSettings } from "../../features/widget/model/widget-settings.ts";
import type { Messages } from "../../shared/i18n/create-i18n.ts";
import type { Parent } from "./parent-messages.ts";

/** What the server passes to the browser, so that both render the same first screen. */
export type EmbedData = {
  readonly now: string;
  readonly isSandbox: boolean;
  readonly settings: SiteSettings;
  readonly messages: Partial<Messages>;
  readonly widget: WidgetSettings;
  /** Null while it can't be loaded. */
  readonly calculator: CalculatorData | null;
};

export type EmbedProps = {
  readonly data: Omit<EmbedData, "messages">;
  readonly api: Api;
  /** What it tells the page around it; nothing on the server. */
  readonly parent: Parent | null;
};

/** What the widget shows, with its data; `now` is when that was loaded. */
export type EmbedScreen =
  | { readonly kind: "calculator"; readonly data: CalculatorData; readonly now: string }
  /** `key` is its path below `/order/`, with its query. */
  | { readonly kind: "order"; readonly key: string; readonly data: OrderPageData; readonly now: string }
  /** What is at `of` can't be loaded. */
  | { readonly kind: "failed"; readonly of: string };
