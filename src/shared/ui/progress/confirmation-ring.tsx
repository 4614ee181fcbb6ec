import "./confirmation-ring.css";

export type ConfirmationRingProps = {
  readonly count: number;
  readonly required: number;
  /** The unit under the figures, such as "confirmations". */
  readonly label: string;
};

/** How many confirmations of how many; the words carry it, the ring repeats it. */
export function ConfirmationRing({ count, required, label }: ConfirmationRingProps) {
  const shown = Math.min(count, required);
  const percent = required === 0 ? 100 : (shown / required) * 100;
  return (
    <div className="w-ring">
      <svg viewBox="0 0 136 136" width="136" height="136" fill="none" aria-hidden="true">
        <circle className="w-ring__track" cx="68" cy="68" r="64" />
        {shown > 0 ? (
          <circle className="w-ring__fill" cx="68" cy="68" r="64" pathLength="100" strokeDasharray={`${percent} 100`} />
        ) : null}
      </svg>
      <p className="w-ring__text w-number">
        <span className="w-ring__count">{shown}</span>
        <span className="w-ring__required"> / {required}</span>
        <span className="w-ring__label">{label}</span>
      </p>
    </div>
  );
}
