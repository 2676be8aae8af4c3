import Link from "next/link";
import { IntentLink } from "@/components/ui/intent-link";
import { DirectionPoints, Probability } from "@/components/format/values";
import {
  type MarketGroupWire,
  type MarketLineWire,
  buildMarketHref,
} from "@/components/markets/market-view";
import { Badge } from "@/components/ui/badge";

export function MarketIcon({ src, size }: { src: string; size: "small" | "large" }) {
  const pixels = size === "small" ? 32 : 40;
  return (
    <img
      src={src}
      alt=""
      width={pixels}
      height={pixels}
      loading="lazy"
      className={`shrink-0 rounded-control ${size === "small" ? "size-8" : "size-10"}`}
    />
  );
}

interface TitleProps {
  group: MarketGroupWire;
  /** The list of all the event's markets. */
  eventHref: string;
  /** Whether a narrow screen shows the title only. */
  isDense?: boolean;
}

/** Title, category and, for an event, a link to the markets that its row doesn't show. */
export function GroupTitle({ group, eventHref, isDense = false }: TitleProps) {
  // The end of a title is often its date, or the question that a result answers. Rows of several markets
  // have the height for a long title also in a narrow column.
  const clamp =
    group.markets.length > 1
      ? "line-clamp-3 min-[87.5rem]:line-clamp-2"
      : "line-clamp-3 lg:line-clamp-2";
  return (
    <div className="min-w-0">
      <IntentLink
        href={buildMarketHref(group)}
        title={group.title}
        className={`${clamp} font-[550] hover:underline max-lg:py-1`}
      >
        {group.title}
      </IntentLink>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-text-2">
        <span className={`capitalize ${isDense ? "max-lg:sr-only" : ""}`}>{group.category}</span>
        {group.hidden > 0 && (
          <Link
            href={eventHref}
            prefetch={false}
            className="link inline-flex min-h-6 items-center max-lg:-mx-2 max-lg:-my-2.5 max-lg:min-h-11 max-lg:px-2"
          >
            +{group.hidden} more<span className="sr-only"> in {group.title}</span>
          </Link>
        )}
      </p>
    </div>
  );
}

/** The label that distinguishes a market from the others of its event. */
export function LineLabel({ line }: { line: MarketLineWire }) {
  return (
    <IntentLink
      href={`/markets/${line.slug}`}
      {...(line.label !== null && { title: line.label })}
      className="flex items-center text-small text-text-2 hover:underline max-lg:min-h-11"
    >
      <span className="line-clamp-2">{line.label}</span>
    </IntentLink>
  );
}

interface ChanceProps {
  line: MarketLineWire;
  /** Whether the market is its event's only one. */
  isLarge: boolean;
}

/** A market's chance; once it is resolved, what the first outcome pays. */
export function Chance({ line, isLarge }: ChanceProps) {
  const tone = line.status === "resolved" ? "text-text-3" : "";
  return (
    <span className={`${isLarge ? "text-title" : "font-[550]"} ${tone}`}>
      <Probability price={line.chance} />
    </span>
  );
}

/** The change of a chance in a day. A market that is younger has none. */
export function Change({ change, isNew = false }: { change: number | null; isNew?: boolean }) {
  return (
    <span className="text-small" title={change === null ? NO_CHANGE : "Change in 24 hours"}>
      {change === null && isNew ? (
        <span className="text-text-2">New</span>
      ) : (
        <DirectionPoints change={change} />
      )}
      <span className="sr-only">{change === null ? NO_CHANGE : " in 24 hours"}</span>
    </span>
  );
}

/** The change of a market in a list. A resolved market's result takes its place. */
export function LineChange({ line: { change, isNew, status } }: { line: MarketLineWire }) {
  return status === "resolved" ? null : <Change change={change} isNew={isNew} />;
}

/** The market is younger than a day, or its venue has no earlier price. */
const NO_CHANGE = "No 24-hour change yet";

/** A market that Ante can't trade, with the reason. */
export function UntradableBadge({ reason }: { reason: string }) {
  return (
    <span title={reason}>
      <Badge tone="warn">Not tradable</Badge>
      <span className="sr-only">{reason}</span>
    </span>
  );
}

interface ResolvedProps {
  /** Without a winner, both outcomes pay the same. */
  winner: string | null;
  /** Whether its place says that it is a result. */
  isResultOnly?: boolean;
}

/** The result of a market. */
export function ResolvedBadge({ winner, isResultOnly = false }: ResolvedProps) {
  return (
    <Badge tone="info">
      <span className={isResultOnly ? "sr-only" : ""}>Resolved:</span> {winner ?? "50/50"}
    </Badge>
  );
}
