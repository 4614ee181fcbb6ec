import { type RefObject, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, SegmentedControl } from "../../../shared/ui/index.ts";
import type { Side } from "../model/calculator-url.ts";
import { chooseInstrument } from "../store/select-kind.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { CoinSearch } from "./coin-search.tsx";
import { offeredOnSide } from "../model/coin-list.ts";
import { rememberCoin } from "../store/recent-coins.ts";
import "./coin-selector.css";
import "./coin-list.css";

type CoinSelectorProps = { readonly side: Side; readonly isOpen: boolean; readonly onClose: () => void };

/** The list of coins of one side: a dialog with a combobox over a list box. */
export function CoinSelector({ side, isOpen, onClose }: CoinSelectorProps) {
  const { t } = useTranslation("exchange");
  const search = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={t(side === "from" ? "selector.send" : "selector.get")}
      size="sheet"
      {...(hasFinePointer() ? { initialFocus: search } : {})}
    >
      <Tabs side={side} search={search} onClose={onClose} />
    </Dialog>
  );
}

/** On a touch screen the keyboard would jump up over the list. */
const hasFinePointer = (): boolean => matchMedia("(pointer: fine)").matches;

type Kind = "crypto" | "fiat";

type TabsProps = {
  readonly side: Side;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
};

function Tabs({ side, search, onClose }: TabsProps) {
  const { t } = useTranslation("exchange");
  const { catalogue, state } = useExchangeStore();
  const { from, to } = useExchangeState();
  const offered = useMemo(() => offeredOnSide(catalogue, side), [catalogue, side]);
  const coins = useMemo(() => offered.filter(({ instrumentType }) => instrumentType !== "fiat"), [offered]);
  const fiat = useMemo(() => offered.filter(({ instrumentType }) => instrumentType === "fiat"), [offered]);
  const [chosen, otherSide] = side === "from" ? [from, to] : [to, from];
  const [kind, setKind] = useState<Kind>(fiat.some(({ slug }) => slug === chosen) ? "fiat" : "crypto");
  const choose = (slug: string) => {
    rememberCoin(slug);
    chooseInstrument(catalogue, state, side, slug);
    onClose();
  };
  return (
    <div className="w-coin-selector">
      {fiat.length === 0 ? null : (
        <SegmentedControl<Kind>
          name="coin-kind"
          label={t("selector.kinds")}
          value={kind}
          options={[
            { value: "crypto", label: t("selector.crypto") },
            { value: "fiat", label: t("selector.fiat") },
          ]}
          onValue={setKind}
        />
      )}
      <CoinSearch
        key={kind}
        search={search}
        label={t(side === "from" ? "selector.send" : "selector.get")}
        instruments={kind === "fiat" ? fiat : coins}
        isFiat={kind === "fiat"}
        side={side}
        chosen={chosen}
        otherSide={otherSide}
        onChoose={choose}
      />
    </div>
  );
}
