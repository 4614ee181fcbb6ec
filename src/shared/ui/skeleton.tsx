import "./skeleton.css";

/** Stands for what is not known yet, of the size that it will have; `width` in px or per cent. */
export const Skeleton = ({ width, height }: { readonly width: number | string; readonly height: number }) => (
  <svg className="w-skeleton" width={width} height={height} aria-hidden="true">
    <rect width="100%" height="100%" rx={Math.min(8, height / 2)} />
  </svg>
);
