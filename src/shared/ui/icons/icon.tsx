import { ICON_PATHS, type IconName } from "./paths.tsx";

export type IconProps = { readonly name: IconName; readonly size?: 16 | 18 | 20 | 24 };

/** Always beside a word or inside a named control, so it is hidden from screen readers. */
export const Icon = ({ name, size = 20 }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={size === 16 ? 2 : 1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {ICON_PATHS[name]}
  </svg>
);
