import { HULL, SAIL } from "./boat.ts";

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
