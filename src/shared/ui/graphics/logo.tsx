import { HULL, SAIL } from "./boat.ts";

const WATER =
  "M0 30.5c2.2-1.7 4.7-1.7 7 0 2.1 1.6 4.4 1.6 6.5 0 2.1-1.7 4.4-1.7 6.5 0 2.1 1.6 4.4 1.6 6.5 0 2.1-1.7 4.4-1.7 6.5 0 2.2 1.6 4.7 1.6 7 0V40H0v-9.5Z";

/** The app's tile, for headers. */
export const LogoTile = ({ size }: { readonly size: number }) => (
  <svg className="w-logo-tile" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
    <rect width="40" height="40" fill="var(--tile)" />
    <path d={`${SAIL}${HULL}`} fill="#f2f7fa" />
    <path d={WATER} fill="#2da49a" />
  </svg>
);
