import type { Fills } from "@/app/(dashboard)/markets/[slug]/chart-section";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import {
  buildPageHref,
  type PageParams,
  type Tab,
} from "@/app/(dashboard)/markets/[slug]/page-url";
import { RulesTab } from "@/app/(dashboard)/markets/[slug]/rules-tab";
import { TradesTab } from "@/app/(dashboard)/markets/[slug]/trades-tab";
import { YoursTab } from "@/app/(dashboard)/markets/[slug]/yours-tab";
import { Tabs } from "@/components/ui/tabs";

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
  /** Null without a tab in the URL: a phone then shows the book, a desktop your activity. */
  tab: Tab | null;
  fills: Fills;
}

type Names = readonly (readonly [Tab, string])[];
const ON_PHONE: Names = [
  ["book", "Book"],
  ["trades", "Trades"],
  ["yours", "Yours"],
  ["rules", "Rules"],
];
const ON_DESKTOP: Names = [
  ["yours", "Position and orders"],
  ["trades", "Trades"],
  ["rules", "Rules"],
];

/** The tabs under the chart. The book is a tab only on a phone; elsewhere it has its own column. */
export function Details({ loaded, params, tab, fills }: Props) {
  const onDesktop = tab === null || tab === "book" ? "yours" : tab;
  const hasBook = loaded.detail.status === "open";
  const onPhone = hasBook ? (tab ?? "book") : onDesktop;
  const items = (names: Names, current: Tab) =>
    names.map(([name, label]) => ({
      href: buildPageHref(loaded.market.slug, params, { tab: name }),
      label,
      isCurrent: name === current,
    }));
  return (
    <section aria-label="About this market" className="min-w-0">
      <div className="lg:hidden">
        <Tabs
          label="Market"
          items={items(
            ON_PHONE.filter(([name]) => hasBook || name !== "book"),
            onPhone,
          )}
        />
      </div>
      <div className="max-lg:hidden">
        <Tabs label="Market" items={items(ON_DESKTOP, onDesktop)} />
      </div>
      <div className={`mt-2 ${onPhone === onDesktop ? "" : "max-lg:hidden"}`}>
        {onDesktop === "yours" && <YoursTab loaded={loaded} fills={fills} />}
        {onDesktop === "trades" && <TradesTab loaded={loaded} />}
        {onDesktop === "rules" && <RulesTab loaded={loaded} />}
      </div>
    </section>
  );
}
