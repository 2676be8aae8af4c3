import { iconPath } from "@/components/format/icon-path";
import type { Ticket } from "@/lib/client/use-ticket";

/** Which market the ticket is for. */
export function TicketHead({ market }: Pick<Ticket, "market">) {
  return (
    <header className="flex items-center gap-3 px-4 pt-4">
      {market.iconUrl !== null && (
        <img
          src={iconPath(market.iconUrl)}
          alt=""
          width={32}
          height={32}
          className="size-8 shrink-0 rounded-control"
        />
      )}
      <h2 id="ticket-title" title={market.title} className="line-clamp-2 min-w-0 font-[550]">
        <span className="sr-only">Order ticket: </span>
        {market.title}
      </h2>
    </header>
  );
}
