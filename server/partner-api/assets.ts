import type { PartnerInstrument } from "#contract/partner-api.ts";
import type { Instrument } from "#contract/instrument.ts";
import { CodedError } from "#contract/errors.ts";
import { formatAmount } from "#contract/money.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { NetworkReader } from "../chains/port.ts";
import { assetIdsOf } from "./asset-ids.ts";

type Fields = Readonly<Record<string, string | undefined>>;

/** Instruments by the names that partners use. */
export type Assets = {
  /** The slugs of slugs or CAIP-19 ids, by their fields; one may be left out. ERR_VALIDATION names each field whose asset is unknown. */
  slugsOf<Given extends Fields>(given: Given): Given;
  /** The same instrument with its ids. */
  withIds(instrument: Instrument): PartnerInstrument;
};

export function createAssets(
  { instruments }: Pick<Catalogue, "instruments">,
  readers: ReadonlyMap<string, Pick<NetworkReader, "chain" | "accountReserve" | "feeSlug">>,
): Assets {
  const idsBySlug = new Map(
    [...instruments.values()].map((one) => [one.slug, assetIdsOf(one, readers.get(one.networkTitle)?.chain)]),
  );
  const slugs = new Map<string, string>();
  // Addresses of contracts are written with any capitals.
  for (const [slug, { assetId }] of idsBySlug) if (assetId !== null) slugs.set(nameOf(assetId), slug);
  for (const slug of idsBySlug.keys()) slugs.set(slug, slug);
  const reserveOf = ({ slug, networkTitle }: Instrument): bigint | null => {
    const { accountReserve, feeSlug } = readers.get(networkTitle) ?? {};
    return accountReserve === undefined || slug !== feeSlug ? null : accountReserve;
  };
  return {
    slugsOf: <Given extends Fields>(given: Given) => {
      const asked = Object.entries(given).flatMap(([field, asset]) => (asset === undefined ? [] : [{ field, asset }]));
      const unknown = asked.filter(({ asset }) => !slugs.has(nameOf(asset)));
      if (unknown.length > 0)
        throw new CodedError("ERR_VALIDATION", "The request is not valid", {
          data: Object.fromEntries(unknown.map(({ field }) => [field, UNKNOWN])),
        });
      return { ...given, ...Object.fromEntries(asked.map(({ field, asset }) => [field, slugs.get(nameOf(asset))])) };
    },
    withIds: (instrument) => {
      const reserve = reserveOf(instrument);
      return {
        ...instrument,
        ...(idsBySlug.get(instrument.slug) ?? { chainId: null, assetId: null }),
        accountReserve: reserve === null ? null : formatAmount(reserve, instrument.precisionDecimals),
        accountReserveUnits: reserve === null ? null : reserve.toString(),
      };
    },
  };
}

const UNKNOWN = "is neither the slug nor the CAIP-19 id of a known instrument";

/** Hex may be written in capitals; base58 may not. */
const nameOf = (asset: string): string => (/^eip155:/i.test(asset) ? asset.toLowerCase() : asset);
