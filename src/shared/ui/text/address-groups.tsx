import "./address-groups.css";

const GROUP = /.{1,4}/gu;

/** An address or hash in groups of four, the first and last two strong; one string to a screen reader and to copying. */
export function AddressGroups({ address, perRow }: { readonly address: string; readonly perRow?: 4 | 6 }) {
  const groups = address.match(GROUP) ?? [];
  const isStrong = (index: number) => index < 2 || index >= groups.length - 2;
  return (
    <span className={`w-address w-mono ${perRow ? `w-address--${perRow}` : ""}`} translate="no" data-address={address}>
      <span className="w-visually-hidden">{address}</span>
      <span aria-hidden="true">
        {groups.map((group, index) => (
          <span
            key={index}
            className={isStrong(index) ? "w-address__group w-address__group--strong" : "w-address__group"}
          >
            {group}
          </span>
        ))}
      </span>
    </span>
  );
}
