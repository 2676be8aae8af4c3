"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { toIconPath } from "@/components/format/icon-path";
import { HEADING_ID } from "@/components/orders/open-order-row";
import { focusShown } from "@/lib/browser/focus-shown";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";

interface Props {
  orderId: string;
  title: string;
  /** Absent below the market's heading. */
  iconUrl?: string;
  /** Opens the details over the page. Without JavaScript or in a new tab, the link opens their page. */
  show: (orderId: string) => void;
  /** Other words than the market's title. */
  children?: ReactNode;
}

/** The market's title, as a link to the details of an order in it. */
export function DetailsLink({ orderId, title, iconUrl, show, children = title }: Props) {
  const handover = useFocusHandover({ kind: "details", fallbacks: [HEADING_ID] });
  return (
    <span className="flex min-w-0 items-center gap-2">
      {iconUrl !== undefined && (
        <img
          src={toIconPath(iconUrl)}
          alt=""
          width={24}
          height={24}
          loading="lazy"
          className="size-6 shrink-0 rounded-control"
        />
      )}
      <Link
        {...handover}
        href={`/orders/${orderId}`}
        prefetch={false}
        title={title}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          show(orderId);
        }}
        className="line-clamp-2 min-w-0 hover:underline"
      >
        {children}
      </Link>
    </span>
  );
}

/** The links that open the drawer, whose address contains the order's id. */
const DETAILS = "a[aria-haspopup=dialog]";
const CONTROLS = "a, button, input, label, select, form";

/** Follows the details link of a clicked row, unless the click was on a control or selected text. */
export function followRow(target: EventTarget): void {
  if (!(target instanceof Element) || target.closest(CONTROLS)) return;
  if (!document.getSelection()?.isCollapsed) return;
  const link = target.closest("tr")?.querySelector<HTMLElement>(DETAILS);
  link?.focus();
  link?.click();
}

/** Focuses the details link of an order's row or card. Returns whether it is on the page. */
export const focusDetailsLink = (orderId: string): boolean =>
  focusShown(`${DETAILS}[href="/orders/${CSS.escape(orderId)}"]`);
