"use client";

import Link from "next/link";
import { toIconPath } from "@/components/format/icon-path";
import { formatCount } from "@/components/format/numbers";
import { formatWaiting, type OrderGroup, withGrouping } from "@/components/orders/group-orders";
import { ButtonLink } from "@/components/ui/button";

/** The market of a group of open orders, and how many of them there are. */
export function GroupTitle({ group }: { group: OrderGroup }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-left font-[550]">
      <img
        src={toIconPath(group.iconUrl)}
        alt=""
        width={24}
        height={24}
        loading="lazy"
        className="size-6 shrink-0 rounded-control"
      />
      <span className="flex min-w-0 gap-x-2 max-md:flex-col md:items-baseline">
        <Link
          href={`/markets/${group.slug}`}
          prefetch={false}
          title={group.title}
          className="line-clamp-2 min-w-0 hover:underline"
        >
          {group.title}
        </Link>
        <span className="shrink-0 text-small font-normal text-text-2">{countOrders(group)}</span>
      </span>
    </span>
  );
}

/** 3 orders, 1 waiting for approval; 1 of 3 orders, if filters leave some out. */
function countOrders({ orders, totals }: OrderGroup): string {
  const all = Math.max(orders.length, totals.count);
  const words = all === 1 ? "1 order" : `${formatCount(all)} orders`;
  return orders.length < all
    ? `${formatCount(orders.length)} of ${words}`
    : `${words}${formatWaiting(totals)}`;
}

interface Props {
  group: OrderGroup;
  onAsk: (group: OrderGroup) => void;
  size?: "small" | "normal";
}

/**
 * The button that cancels all orders of a market after confirmation, which is a page without JavaScript.
 * It is absent while none can be canceled.
 */
export function CancelGroup({ group, onAsk, size = "small" }: Props) {
  if (group.totals.count === 0) return null;
  const query = withGrouping(`market=${encodeURIComponent(group.marketId)}`, true);
  return (
    <ButtonLink
      size={size}
      href={`/orders/cancel?${query}`}
      aria-haspopup="dialog"
      aria-label={`Cancel all orders in ${group.title}`}
      onClick={(event) => {
        event.preventDefault();
        onAsk(group);
      }}
    >
      Cancel all
    </ButtonLink>
  );
}
