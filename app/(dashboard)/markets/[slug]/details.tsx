import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import {
  buildPageHref,
  type PageParams,
  type Tab,
} from "@/app/(dashboard)/markets/[slug]/page-url";
import { Rules, RulesTab } from "@/app/(dashboard)/markets/[slug]/rules-tab";
import { cancelOrderAction } from "@/app/(dashboard)/orders/actions";
import { OwnActivity } from "@/components/trading/position/own-activity";
import { Tabs } from "@/components/ui/tabs";

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
  /** Null without a tab in the URL: a phone then shows the book, a desktop your activity. */
  tab: Tab | null;
}

type Names = readonly (readonly [Tab, string])[];
const ON_PHONE: Names = [
  ["book", "Book"],
  ["trades", "Trades"],
  ["yours", "Your activity"],
  ["rules", "Rules"],
];
const ON_DESKTOP: Names = [
  ["yours", "Your activity"],
  ["rules", "Rules"],
];

/**
 * The tabs under the chart. Book and trades are tabs only on a phone; elsewhere they have their own
 * column.
 */
export function Details({ loaded, params, tab }: Props) {
  const onDesktop = tab === "rules" ? tab : "yours";
  const { detail } = loaded;
  const hasBook = detail.status === "open";
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
        <Tabs label="Market" items={items(hasBook ? ON_PHONE : ON_DESKTOP, onPhone)} />
      </div>
      <div className="max-lg:hidden">
        <Tabs label="Market" items={items(ON_DESKTOP, onDesktop)} />
      </div>
      {/* Paper is narrower than a desktop, but has what one shows. */}
      <div className={`mt-2 ${onPhone === onDesktop ? "" : "max-lg:hidden print:block"}`}>
        {onDesktop === "yours" && (
          <OwnActivity
            tickSize={detail.tickSize}
            outcomes={detail.outcomes.map(({ name, tokenId }) => ({ name, tokenId }))}
            isClosed={detail.status !== "open"}
            cancelAction={cancelOrderAction}
          />
        )}
        {onDesktop === "rules" && <RulesTab loaded={loaded} />}
      </div>
      {/* A price on paper says little without the question that it answers. */}
      {onDesktop !== "rules" && (
        <div className="hidden print:mt-4 print:block">
          <Rules detail={detail} />
        </div>
      )}
    </section>
  );
}
