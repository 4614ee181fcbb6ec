import type { ReactNode } from "react";
import { IconFrame, type IconProps } from "./icon.tsx";

/** Apart from those of `icon.tsx`, which come with the first load: these come with the account. */
const ACCOUNT_ICON_PATHS = {
  eye: (
    <path d="M2.500 12s3.500-6.500 9.500-6.500 9.500 6.500 9.500 6.500-3.500 6.500-9.500 6.500S2.500 12 2.500 12Zm12.250 0a2.750 2.750 0 1 1-5.500 0 2.750 2.750 0 0 1 5.500 0Z" />
  ),
  "eye-off": (
    <path d="m4 4 16 16M9.900 5.750a9 9 0 0 1 2.100-.250c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-2.600 3.300M6.300 7.300A15.400 15.400 0 0 0 2.500 12s3.500 6.500 9.500 6.500a9 9 0 0 0 4.300-1.100M10 10.100a2.750 2.750 0 0 0 3.900 3.900" />
  ),
  key: <path d="M13.500 10.500 20 4m-3 3 2.500 2.500M14.500 14.500a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0Z" />,
  shield: (
    <path d="M12 3.500 5 6v5.500c0 4.300 2.900 7.600 7 9 4.100-1.400 7-4.700 7-9V6l-7-2.500Zm-3 8.250 2.250 2.250L15.250 10" />
  ),
  exit: (
    <path d="M10 4.500H6.500A1.500 1.500 0 0 0 5 6v12a1.500 1.500 0 0 0 1.500 1.500H10M10 12h10m-3.500-3.500L20 12l-3.500 3.500" />
  ),
  support: (
    <path d="M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0Zm-4.750 0a3.250 3.250 0 1 1-6.500 0 3.250 3.250 0 0 1 6.500 0ZM6.350 6.350l3.350 3.350m4.600 4.600 3.350 3.350m0-11.300-3.350 3.350m-4.600 4.600-3.350 3.350" />
  ),
  back: <path d="m14.500 6-6 6 6 6" />,
  gift: (
    <path d="M4 8.500h16v3.500H4V8.500Zm1.500 3.500h13v8h-13v-8ZM12 8.500V20M12 8.500s-4.500.300-4.500-2.500c0-1.200.8-2 2-2C11.500 4 12 8.500 12 8.500Zm0 0s4.500.300 4.500-2.500c0-1.200-.8-2-2-2C12.500 4 12 8.500 12 8.500Z" />
  ),
  people: (
    <path d="M12.200 8.500a3.200 3.200 0 1 1-6.400 0 3.200 3.200 0 0 1 6.400 0ZM3 19.500c.5-3.300 3-5 6-5s5.500 1.700 6 5m.5-14a3.200 3.200 0 0 1 0 6m2 3.300c2 .6 3.200 2.200 3.500 4.700" />
  ),
  up: <path d="M12 19.500v-15m-6 6 6-6 6 6" />,
  trash: (
    <path d="M4.500 6.500h15m-10.500 0v-2A1.500 1.500 0 0 1 10.500 3h3A1.500 1.500 0 0 1 15 4.500v2M6.500 6.500l.8 12.100A1.500 1.500 0 0 0 8.800 20h6.400a1.500 1.500 0 0 0 1.500-1.400l.8-12.100M10 10.500v5.500m4-5.500v5.500" />
  ),
} as const satisfies Record<string, ReactNode>;

type AccountIconProps = Pick<IconProps, "size"> & { readonly name: keyof typeof ACCOUNT_ICON_PATHS };

/** An icon of the account's pages and dialogs. */
export const AccountIcon = ({ name, size }: AccountIconProps) => (
  <IconFrame size={size}>{ACCOUNT_ICON_PATHS[name]}</IconFrame>
);
