import "./with-reference.css";

type WithReferenceProps = { readonly text: string; readonly reference: string };

/** A text with the order's number in it, which keeps to one line: its hyphen is no place to break. */
export function WithReference({ text, reference }: WithReferenceProps) {
  const [before, after] = text.split(reference);
  if (after === undefined) return text;
  return (
    <>
      {before}
      <span className="w-order-number">{reference}</span>
      {after}
    </>
  );
}
