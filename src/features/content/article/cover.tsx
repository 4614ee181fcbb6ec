import { COVER_FORMATS, COVER_RATIO, COVER_WIDTHS } from "#contract/site/covers.ts";

type CoverProps = {
  /** The picture without width and format. */
  readonly cover: string;
  readonly sizes: string;
  readonly className: string;
  /** It stands in the first screen. */
  readonly isFirst?: boolean;
};

const [, MIDDLE, WIDEST] = COVER_WIDTHS;

/** An article's picture, which says nothing that its title doesn't. */
export const Cover = ({ cover, sizes, className, isFirst = false }: CoverProps) => (
  <picture>
    {COVER_FORMATS.map((format) => (
      <source
        key={format}
        type={`image/${format}`}
        srcSet={COVER_WIDTHS.map((width) => `${cover}-${width}.${format} ${width}w`).join(", ")}
        sizes={sizes}
      />
    ))}
    <img
      className={className}
      src={`${cover}-${MIDDLE}.webp`}
      alt=""
      width={WIDEST}
      height={WIDEST * COVER_RATIO}
      decoding="async"
      {...(isFirst ? { fetchPriority: "high" as const } : { loading: "lazy" as const })}
    />
  </picture>
);
