import { type HTMLAttributes, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { SegmentedControl } from "../../../shared/ui/index.ts";
import { type WidgetSettings, writeWidgetQuery } from "../model/widget-settings.ts";

const WIDTHS = ["300", "360", "400", "480"] as const;
type Width = (typeof WIDTHS)[number];

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "wherry-widget": HTMLAttributes<HTMLElement> & Record<`data-${string}`, string>;
    }
  }
}

/** The widget itself, made by the script that other sites load. */
export function Preview({ settings }: { readonly settings: WidgetSettings }) {
  const { t } = useTranslation("widget");
  const [width, setWidth] = useState<Width>("400");
  useLoader();
  const attributes = Object.fromEntries(
    [...writeWidgetQuery(settings), ["lang", settings.lang] as const].map(([name, value]) => [`data-${name}`, value]),
  );
  return (
    <div className="w-widget__preview">
      <SegmentedControl<Width>
        name="widget-width"
        label={t("preview.width")}
        value={width}
        options={WIDTHS.map((value) => ({ value, label: value }))}
        onValue={setWidth}
      />
      <div className="w-widget__stage">
        <wherry-widget
          title={t("preview.title")}
          style={{ inlineSize: `${width}px`, maxInlineSize: "100%" }}
          {...attributes}
        />
      </div>
    </div>
  );
}

/** Once for the page's life: the element that it defines stays. */
function useLoader(): void {
  useEffect(() => {
    if (customElements.get("wherry-widget") !== undefined || document.getElementById("wherry-loader") !== null) return;
    document.head.append(Object.assign(document.createElement("script"), { id: "wherry-loader", src: "/embed.js" }));
  }, []);
}
