/** The sail and hull, shared by the tile, the one-colour form and the pictures; drawn on a 40 grid. */
const SAIL = "M26 6.5c.3 4.8.6 9.6.9 14.4l-14 .1C18.6 18.3 23.5 13.2 26 6.5Z";
const HULL = "M7.5 24.5h25c-.5 4.9-3.6 8.2-7.4 9.5H14.9c-3.8-1.3-6.9-4.6-7.4-9.5Z";
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

/** The boat on its river in lines, for pictures; only on the 404 page does it lean. */
export const BoatIllustration = ({ isLeaning = false }: { readonly isLeaning?: boolean }) => (
  <svg
    className="w-boat"
    viewBox="0 0 320 124"
    width="320"
    height="124"
    fill="none"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <g transform={`translate(118 -4) scale(2.1) ${isLeaning ? "rotate(-6 20 34)" : ""}`} fill="var(--text)">
      <path d={`${SAIL}${HULL}`} />
    </g>
    <g className="w-boat__waves" strokeWidth="4">
      <path
        d="M2 75c13-10 26-10 39 0s26 10 39 0 26-10 39 0 26 10 39 0 26-10 39 0 26 10 39 0 26-10 39 0 26 10 43 0"
        stroke="var(--accent)"
      />
      <path
        d="M40 96c13-10 26-10 39 0s26 10 39 0 26-10 39 0 26 10 39 0 26-10 39 0 26 10 39 0"
        stroke="var(--accent-line)"
        strokeWidth="3"
      />
      <path
        d="M100 115c13-10 26-10 39 0s26 10 39 0 26-10 39 0"
        stroke="var(--accent-line)"
        strokeWidth="2"
        opacity=".6"
      />
    </g>
  </svg>
);

/** The boat with its sail taken in, at anchor on flat water: the service is down. */
export const AnchoredBoatIllustration = () => (
  <svg
    className="w-boat"
    viewBox="0 0 320 124"
    width="320"
    height="124"
    fill="none"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <g transform="translate(118 1) scale(2.1)" fill="var(--text)">
      <path d={SAIL} opacity=".3" />
      <path d={HULL} />
    </g>
    <path d="M2 73h316" stroke="var(--accent)" strokeWidth="4" />
    <path d="M160 76v46m-10-34h20m-24 18c0 9 6 16 14 16s14-7 14-16" stroke="var(--line-strong)" strokeWidth="3" />
  </svg>
);
