import "server-only";
import type { AccountEvent } from "@/lib/schemas/events";
import type { Notification } from "@/lib/schemas/notifications";
import { sum } from "@/lib/units";

interface Described {
  event: AccountEvent;
  notification: Notification;
}

/** Equal fills further apart than this stay notifications of their own. */
const MAX_GAP_MS = 60 * 60 * 1000;

/**
 * Joins equal fills that follow one another, newest first: filled orders of one market, outcome and action.
 * A program that trades in small orders would fill the list otherwise. The joined notification has the sums
 * and the time of the newest, and leads to the closed orders of the market.
 */
export function groupFills(described: readonly Described[]): Notification[] {
  const groups: Described[][] = [];
  for (const each of described) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group && previous && isEqualFill(previous.event, each.event)) group.push(each);
    else groups.push([each]);
  }
  return groups.map(joinGroup);
}

function isEqualFill(later: AccountEvent, earlier: AccountEvent): boolean {
  if (later.type !== "order.filled" || earlier.type !== "order.filled") return false;
  const [{ order: a }, { order: b }] = [later.data, earlier.data];
  return (
    a.marketId === b.marketId &&
    a.side === b.side &&
    a.action === b.action &&
    later.createdAt.getTime() - earlier.createdAt.getTime() <= MAX_GAP_MS
  );
}

function joinGroup(group: readonly Described[]): Notification {
  const [{ event, notification: newest }] = group as [Described];
  if (group.length === 1 || !("order" in event.data)) return newest;
  const notifications = group.map(({ notification }) => notification);
  const { total } = newest;
  return {
    ...newest,
    title: `${newest.title} in ${group.length} orders`,
    shares: sum(notifications.flatMap(({ shares }) => shares ?? [])),
    price: null,
    total: total && {
      ...total,
      usdc: sum(notifications.flatMap((each) => each.total?.usdc ?? [])),
    },
    href: `/orders?${new URLSearchParams({ tab: "history", market: event.data.order.marketId })}`,
    isUnread: notifications.some(({ isUnread }) => isUnread),
  };
}
