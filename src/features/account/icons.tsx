import type { ReactNode } from "react";

/** Drawn like those of `shared/ui`, which come with the first load; these come with the account. */
const PATHS = {
  eye: (
    <path d="M2.500 12s3.500-6.500 9.500-6.500 9.500 6.500 9.500 6.500-3.500 6.500-9.500 6.500S2.500 12 2.500 12Zm12.250 0a2.750 2.750 0 1 1-5.500 0 2.750 2.750 0 0 1 5.500 0Z" />
  ),
  "eye-off": (
    <path d="m4 4 16 16M9.900 5.750a9 9 0 0 1 2.100-.250c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-2.600 3.300M6.300 7.300A15.400 15.400 0 0 0 2.500 12s3.500 6.500 9.500 6.500a9 9 0 0 0 4.300-1.100M10 10.100a2.750 2.750 0 0 0 3.900 3.900" />
  ),
  device: (
    <path d="M7 4.500h10A1.500 1.500 0 0 1 18.500 6v12a1.500 1.500 0 0 1-1.500 1.500H7A1.500 1.500 0 0 1 5.500 18V6A1.500 1.500 0 0 1 7 4.500Zm3.500 12h3" />
  ),
  key: <path d="M13.500 10.500 20 4m-3 3 2.500 2.500M14.500 14.500a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0Z" />,
  shield: (
    <path d="M12 3.500 5 6v5.500c0 4.300 2.900 7.600 7 9 4.100-1.400 7-4.700 7-9V6l-7-2.500Zm-3 8.250 2.250 2.250L15.250 10" />
  ),
  exit: (
    <path d="M10 4.500H6.500A1.500 1.500 0 0 0 5 6v12a1.500 1.500 0 0 0 1.500 1.500H10M10 12h10m-3.500-3.500L20 12l-3.500 3.500" />
  ),
} as const satisfies Record<string, ReactNode>;

export type AccountIconName = keyof typeof PATHS;

/** Always beside a word or inside a named control, so it is hidden from screen readers. */
export const AccountIcon = ({ name, size = 20 }: { readonly name: AccountIconName; readonly size?: 16 | 20 | 24 }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {PATHS[name]}
  </svg>
);
