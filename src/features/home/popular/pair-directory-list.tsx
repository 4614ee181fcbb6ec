import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import { nameOnNetwork } from "../../../shared/format/pair-names.ts";
import { CoinMark } from "../../../shared/ui/index.ts";
import type { PairDirectory } from "../model/pair-directory.ts";
import type { Coin } from "../model/pair-rates.ts";

/** Every pair that people look for, by the coin that is sent. */
export function PairDirectoryList({ directory: { coins, entries } }: { readonly directory: PairDirectory }) {
  const { t } = useTranslation("home");
  if (entries.length === 0) return null;
  const find = (slug: string) => coins.filter((coin) => coin.slug === slug);
  const nameOf = (coin: Coin) =>
    coins.some(({ slug, currencyTitle }) => slug !== coin.slug && currencyTitle === coin.currencyTitle)
      ? nameOnNetwork(coin)
      : coin.currencyTitle;
  return (
    <section className="w-popular__directory" aria-labelledby="popular-directory">
      <h2 id="popular-directory">{t("popular.directory")}</h2>
      {entries.flatMap(({ from: sent, to }) =>
        find(sent).map((from) => (
          <div key={sent} className="w-popular__entry">
            <h3>
              <CoinMark instrument={from} size={24} />
              <bdi>{t("popular.sent", { name: from.currencyFriendlyTitle, ticker: nameOf(from) })}</bdi>
            </h3>
            <ul>
              {to.flatMap(find).map((other) => (
                <li key={other.slug}>
                  <Link href={`/exchange-${formatPairSlug({ from: sent, to: other.slug })}`}>
                    <bdi>{`${nameOf(from)} → ${nameOf(other)}`}</bdi>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )),
      )}
    </section>
  );
}
