import { type HTMLAttributes, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { SegmentedControl } from "../../../shared/ui/index.ts";
import { LabelledChoice } from "./labelled-choice.tsx";
import { useScale } from "./use-scale.ts";
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

/** The widget itself, made by the script that other sites load, at the width that was chosen: where it has no room, it is drawn smaller. */
export function Preview({ settings }: { readonly settings: WidgetSettings }) {
  const { t } = useTranslation("widget");
  const [width, setWidth] = useState<Width>("400");
  const { room, content, scale, boxStyle, contentStyle } = useScale(Number(width));
  useLoader();
  const attributes = Object.fromEntries(
    [...writeWidgetQuery(settings)].map(([name, value]) => [`data-${name}`, value]),
  );
  return (
    <div className="w-widget__preview">
      <LabelledChoice text={t("preview.width")}>
        <SegmentedControl<Width>
          name="widget-width"
          label={t("preview.width")}
          value={width}
          options={WIDTHS.map((value) => ({ value, label: value }))}
          onValue={setWidth}
        />
      </LabelledChoice>
      <div className="w-widget__stage">
        <div ref={room} className="w-widget__room">
          <div className="w-widget__box" style={boxStyle}>
            <div ref={content} className="w-widget__scaled" style={contentStyle}>
              <wherry-widget title={t("preview.title")} {...attributes} />
            </div>
          </div>
        </div>
      </div>
      {scale < 1 ? (
        <p className="w-widget__note">{t("preview.scaled", { percent: Math.floor(scale * 100), width })}</p>
      ) : null}
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
