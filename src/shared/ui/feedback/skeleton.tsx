import { Skeleton as TelegramSkeleton } from "@telegram-apps/telegram-ui";
import "./skeleton.css";

/** Holds the place of what is still loading; `width` in px or per cent. A block: it can't be inside a paragraph. */
export const Skeleton = ({ width, height }: { readonly width: number | string; readonly height: number | string }) => (
  <TelegramSkeleton
    visible
    withoutAnimation
    className="w-skeleton"
    style={{ inlineSize: width, blockSize: height }}
    aria-hidden="true"
  />
);
