import type { ReactNode } from "react";

/** Drawn on a 24 grid, stroke 1.75, round caps and joins, no fills but dots. */
const ICON_PATHS = {
  "arrow-right": <path d="M4.5 12h15m-6-6 6 6-6 6" />,
  chart: <path d="M4 4.500v15h16M7.500 15l4-4.500 3 2.500L19 8" />,
  check: <path d="m5 12.5 4.5 4.500L19 7.5" />,
  "chevron-down": <path d="m6 9.5 6 6 6-6" />,
  "chevron-right": <path d="m9.5 6 6 6-6 6" />,
  clock: <path d="M12 7.500V12l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  code: <path d="m8.5 7.500-5 4.500 5 4.500m7-9 5 4.500-5 4.500m-2-11.500-3 14" />,
  copy: (
    <path d="M8.5 10.500a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8Zm-3-2V5.500a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2" />
  ),
  download: <path d="M12 4v11m-4.5-4.5L12 15l4.5-4.500M5 19.500h14" />,
  error: <path d="M12 7.500v5m0 3.500v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />,
  exchange: <path d="M4 8.500h15.500m-4-4 4 4-4 4M20 15.500H4.500m4-4-4 4 4 4" />,
  globe: (
    <path d="M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Zm-17.5 0h17M12 3c2.5 2.5 3.8 5.7 3.8 9s-1.3 6.5-3.8 9c-2.5-2.5-3.8-5.7-3.8-9S9.5 5.5 12 3Z" />
  ),
  info: <path d="M12 11.500v5m0-8.500v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z" />,
  lock: (
    <path d="M8 10.500V8a4 4 0 0 1 8 0v2.500m-9.5 0h11a1.5 1.5 0 0 1 1.5 1.500v6a1.5 1.5 0 0 1-1.5 1.500h-11A1.5 1.5 0 0 1 5 18v-6a1.5 1.5 0 0 1 1.5-1.500Z" />
  ),
  mail: <path d="M5.500 5.500h13a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM4 7l8 6 8-6" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  minus: <path d="M5 12h14" />,
  moon: <path d="M20 14.200A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.200Z" />,
  "new-tab": (
    <path d="M13.500 5H19v5.500M19 5l-8 8m-1.500-7.500H6.500a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-3" />
  ),
  offline: (
    <path d="m4 4 16 16M12 18.500v.01M8.5 15a5 5 0 0 1 3.5-1.500M5.2 11.700A9.7 9.7 0 0 1 8.5 9.600m4-.8a9.7 9.7 0 0 1 6.3 2.900M2.5 8.400A14 14 0 0 1 5.7 6M10 5a14 14 0 0 1 11.5 3.4" />
  ),
  paste: (
    <path d="M9 5H7.500A1.5 1.5 0 0 0 6 6.500v12A1.5 1.5 0 0 0 7.5 20h9a1.5 1.5 0 0 0 1.5-1.500v-12A1.5 1.5 0 0 0 16.5 5H15M9 6.500v-2A1.5 1.5 0 0 1 10.5 3h3A1.5 1.5 0 0 1 15 4.500v2H9Z" />
  ),
  pencil: (
    <path d="M4.500 19.500 5.500 15 16 4.500a1.800 1.800 0 0 1 2.600 0l.9.900a1.800 1.800 0 0 1 0 2.600L9 18.500l-4.500 1ZM14.500 6l3.500 3.500" />
  ),
  person: <path d="M15.8 8a3.8 3.8 0 1 1-7.6 0 3.8 3.8 0 0 1 7.6 0ZM4.5 20c.6-3.6 3.7-5.5 7.5-5.500s6.9 1.9 7.5 5.5" />,
  plus: <path d="M12 5v14M5 12h14" />,
  receipt: <path d="M6 3.500h12v17l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5-2 1.500v-17ZM9.5 8.500h5m-5 4h5" />,
  refresh: <path d="M19.5 10.500A7.8 7.8 0 0 0 5.6 8M4.5 4.500V8H8m-3.5 5.500A7.8 7.8 0 0 0 18.4 16m1.1 3.500V16H16" />,
  return: <path d="M8.5 5.500 4.500 9.500l4 4M4.500 9.500h10a4.500 4.500 0 0 1 0 9H9" />,
  scan: (
    <path d="M4 8.500V6a2 2 0 0 1 2-2h2.500m7 0H18a2 2 0 0 1 2 2v2.500m0 7V18a2 2 0 0 1-2 2h-2.500m-7 0H6a2 2 0 0 1-2-2v-2.500M7.5 12h9" />
  ),
  search: <path d="m20 20-4.5-4.500m2-5a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z" />,
  share: (
    <path d="M12 15V4M8 7.500 12 3.500l4 4M7.500 11H6a1.500 1.500 0 0 0-1.500 1.500v6A1.500 1.500 0 0 0 6 20h12a1.500 1.500 0 0 0 1.500-1.500v-6A1.500 1.500 0 0 0 18 11h-1.500" />
  ),
  sun: (
    <path d="M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM12 3v1.500m0 15V21m9-9h-1.500m-15 0H3m15.4-6.4-1.1 1.100M6.7 17.300l-1.1 1.100m12.8 0-1.1-1.100M6.7 6.7 5.6 5.6" />
  ),
  swap: <path d="M8 4.500v15m-4-4 4 4 4-4m4 4v-15m-4 4 4-4 4 4" />,
  system: (
    <path d="M5 5h14a1.5 1.5 0 0 1 1.5 1.500v8A1.5 1.5 0 0 1 19 16H5a1.5 1.5 0 0 1-1.5-1.500v-8A1.5 1.5 0 0 1 5 5Zm4 14.500h6m-3-3.500v3.5" />
  ),
  telegram: <path d="M20.5 4.5 3.5 11.200l6 2.300m11-9-3 15-8-6m11-9-11 9m0 0V19l3-3.2" />,
  wallet: (
    <path d="M17 7.500V5.500A1.5 1.5 0 0 0 15.5 4h-10A1.5 1.5 0 0 0 4 5.500v12A2.5 2.5 0 0 0 6.5 20H18a2 2 0 0 0 2-2V9.500a2 2 0 0 0-2-2H5.500A1.5 1.5 0 0 1 4 6m12 7.800v.01" />
  ),
  warning: (
    <path d="M12 9.500v4m0 3v.01M10.5 4.5 2.9 17.800a1.7 1.7 0 0 0 1.5 2.500h15.200a1.7 1.7 0 0 0 1.5-2.500L13.5 4.500a1.7 1.7 0 0 0-3 0Z" />
  ),
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof ICON_PATHS;

type IconFrameProps = { readonly size?: 16 | 18 | 20 | 24; readonly children: ReactNode };

/** What every icon is drawn in. Always beside a word or inside a named control, so it is hidden from screen readers. */
export const IconFrame = ({ size = 20, children }: IconFrameProps) => (
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
    {children}
  </svg>
);

export type IconProps = Pick<IconFrameProps, "size"> & { readonly name: IconName };

/** Drawn in the colour of the text around it, and hidden from screen readers: whatever it means is said beside it. */
export const Icon = ({ name, size }: IconProps) => <IconFrame size={size}>{ICON_PATHS[name]}</IconFrame>;
