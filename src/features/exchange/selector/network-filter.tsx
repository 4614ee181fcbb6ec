import { useT } from "../../../lib/i18n/index.ts";
import type { Network } from "./exchangeable.ts";

type NetworkFilterProps = {
  readonly networks: readonly Network[];
  readonly chosen: string | null;
  readonly onChoose: (networkTitle: string | null) => void;
};

/** Narrows the list to one network; absent while there is only one. */
export function NetworkFilter({ networks, chosen, onChoose }: NetworkFilterProps) {
  const t = useT("exchange");
  if (networks.length < 2) return null;
  return (
    <div className="w-chips" role="group" aria-label={t("selector.networks")}>
      <Chip name={t("selector.allNetworks")} isChosen={chosen === null} onPress={() => onChoose(null)} />
      {networks.map(({ networkTitle, name }) => (
        <Chip
          key={networkTitle}
          name={name}
          isChosen={chosen === networkTitle}
          onPress={() => onChoose(chosen === networkTitle ? null : networkTitle)}
        />
      ))}
    </div>
  );
}

const Chip = ({
  name,
  isChosen,
  onPress,
}: {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onPress: () => void;
}) => (
  <button type="button" className="w-chip" aria-pressed={isChosen} onClick={onPress}>
    {name}
  </button>
);
