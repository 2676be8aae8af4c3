"use client";

import { Crosshair, Pause, Play } from "lucide-react";
import Link from "next/link";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { formatPrice } from "@/components/format/numbers";
import { usePageFreshness } from "@/components/shell/freshness-sign";
import { useOwnMarket } from "@/components/trading/order-book/own-market";
import {
  type ShownBook,
  toOwnOrders,
  toShownBook,
} from "@/components/trading/order-book/book-lines";
import {
  BOOK_HEADING_ID,
  type RowHandlers,
  type TotalUnit,
} from "@/components/trading/order-book/book-row";
import { BookSide } from "@/components/trading/order-book/book-side";
import { useBookState, useLiveMarket } from "@/components/trading/order-book/live-market";
import { type CancelAction, OwnOrders } from "@/components/trading/order-book/own-orders";
import {
  type BookState,
  type BookStore,
  type LiveBookWire,
  mirrorLiveBook,
} from "@/lib/browser/book-store";
import { useReading } from "@/lib/browser/freshness";
import { centerOnSpread } from "@/lib/browser/page-keys";
import { switchTicketOutcome, useTicketToken } from "@/lib/browser/ticket-outcome";

const ROWS = 8;
const OPENED_ROWS = 25;
const GROUPINGS = [1, 5, 10] as const;

interface BookOutcome {
  name: string;
  tokenId: string;
  /** The same page for this outcome. */
  href: string;
}

interface Props {
  outcomes: readonly BookOutcome[];
  cancelAction: CancelAction;
}

/**
 * The live book of one outcome: the ticket's, otherwise the page's. Must be inside a
 * LiveMarketProvider.
 */
export function OrderBook({ outcomes, cancelAction }: Props) {
  const store = useLiveMarket();
  const state = useBookState(store);
  const [grouping, setGrouping] = useState<number>(1);
  const [isOpened, setIsOpened] = useState(false);
  const [shownOrders, setShownOrders] = useState<string | null>(null);
  const [unit, setUnit] = useState<TotalUnit>("dollars");
  const [focused, setFocused] = useState<FocusedRow>({ side: "ask", index: 0 });
  const handlers = useMemo<RowHandlers>(
    () => ({
      onOwn: (orderIds) => setShownOrders(orderIds),
      onFocus: (side, index) => setFocused({ side, index }),
    }),
    [],
  );
  const rows = isOpened ? OPENED_ROWS : ROWS;
  const own = useOwnMarket();
  const orders = useMemo(() => toOwnOrders(own.orders, outcomes), [own.orders, outcomes]);
  const live = useBookOfTicket(state.live, outcomes);
  const book = useMemo(
    () => toShownBook(live, orders, { grouping, rows }),
    [live, orders, grouping, rows],
  );
  const levels = useRef<HTMLDivElement>(null);
  const recenter = () => centerOnSpread(levels.current);
  useEffect(() => centerOnSpread(levels.current), [isOpened]);
  const { tokenId } = live.book;
  const outcome = outcomes.find((candidate) => candidate.tokenId === tokenId)?.name ?? "";
  const isTrading = live.status === "open";
  const tabStop = findTabStop(book, focused);
  const onUnit = () => setUnit(unit === "dollars" ? "shares" : "dollars");
  const sides = { isOpened, isTrading, outcome, tokenId, unit, onUnit, handlers };
  const getTabStop = (side: FocusedRow["side"]) => (tabStop.side === side ? tabStop.index : null);
  return (
    <section
      aria-label={`Order book of ${outcome}`}
      className="card isolate min-w-0"
      {...createHoldHandlers(store)}
    >
      <BookHead store={store} state={state} onRecenter={isOpened ? recenter : null} />
      <OutcomeSwitch outcomes={outcomes} tokenId={tokenId} />
      <div
        ref={levels}
        data-levels=""
        role="region"
        aria-label="Price levels. The arrow keys move between them, Space pauses updates."
        onKeyDown={(event) => {
          pauseOnSpace(event, store);
          moveInBook(event);
        }}
        className={isOpened ? "relative max-h-130 overflow-y-auto" : ""}
      >
        <BookSide side="ask" lines={book.asks} tabStop={getTabStop("ask")} {...sides} />
        <div
          data-spread=""
          className="flex h-11 items-center justify-between gap-2 border-y border-border px-2 text-small"
        >
          <span className="num text-title" title="Midpoint of the best bid and offer">
            <span className="sr-only">Midpoint </span>
            {book.middleText ?? "—"}
          </span>
          <span className="text-text-2">
            Spread <span className="num text-text">{book.spreadText ?? "—"}</span>
          </span>
          {isRecent(state) && (
            <span className="text-text-2">
              Last{" "}
              <span className="num text-text">
                {formatPrice(live.lastPrice, live.book.tickSize)}
              </span>
            </span>
          )}
        </div>
        <BookSide side="bid" lines={book.bids} tabStop={getTabStop("bid")} {...sides} />
      </div>
      <BookFoot
        grouping={grouping}
        onGroup={setGrouping}
        isOpened={isOpened}
        onOpen={() => setIsOpened(!isOpened)}
      />
      <OwnOrders
        orders={orders.filter(({ id }) => shownOrders?.split(" ").includes(id))}
        isOpen={shownOrders !== null}
        onClose={() => setShownOrders(null)}
        tickSize={live.book.tickSize}
        cancelAction={cancelAction}
      />
    </section>
  );
}

const RECENT_MS = 3_600_000;

/** Returns whether the last trade is recent: an older price would contradict the midpoint. */
const isRecent = ({ trades: [last], at }: BookState) =>
  last !== undefined && at - Date.parse(last.at) < RECENT_MS;

/** Returns the page's book, mirrored if the ticket is for the other outcome. */
function useBookOfTicket(live: LiveBookWire, outcomes: readonly BookOutcome[]): LiveBookWire {
  // The ticket shows a press first: on a phone, the book is behind it.
  const ticketToken = useDeferredValue(useTicketToken());
  const isMirrored =
    ticketToken !== live.book.tokenId && outcomes.some(({ tokenId }) => tokenId === ticketToken);
  return useMemo(
    () => (isMirrored && ticketToken !== null ? mirrorLiveBook(live, ticketToken) : live),
    [live, ticketToken, isMirrored],
  );
}

interface FocusedRow {
  side: "bid" | "ask";
  index: number;
}

/** Returns the row that Tab reaches: the last one with the focus, or the best price. */
function findTabStop({ asks, bids }: ShownBook, focused: FocusedRow): FocusedRow {
  const lines = focused.side === "ask" ? asks : bids;
  if (lines[focused.index]) return focused;
  return { side: asks[0] ? "ask" : "bid", index: 0 };
}

/** Moves the focus with the arrow keys: up and down between prices, left to the own orders. */
function moveInBook(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
  const row = event.target instanceof Element ? event.target.closest("tr") : null;
  const level = row?.querySelector<HTMLElement>("[data-level]");
  if (!row || !level) return;
  const target =
    step === undefined
      ? { ArrowLeft: row.querySelector("button"), ArrowRight: level }[event.key]
      : findLevel(event.currentTarget, level, step);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function findLevel(book: HTMLElement, from: HTMLElement, step: number): HTMLElement | undefined {
  const levels = [...book.querySelectorAll<HTMLElement>("[data-level]")].filter((level) =>
    level.checkVisibility(),
  );
  const to = levels.indexOf(from) + step;
  return levels[Math.max(0, Math.min(levels.length - 1, to))];
}

/** Keeps rows in place while one is pressed or has the focus. */
function createHoldHandlers(store: BookStore) {
  return {
    onPointerDown: store.hold,
    onPointerUp: store.release,
    onPointerCancel: store.release,
    onFocus: store.hold,
    onBlur: store.release,
  };
}

/** Also works on a row. On a button, Space presses the button. */
function pauseOnSpace(event: KeyboardEvent, store: BookStore): void {
  if (event.key !== " " || event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  store.setPaused(!store.get().isPaused);
}

interface HeadProps {
  store: BookStore;
  state: BookState;
  onRecenter: (() => void) | null;
}

const ICON_BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text lg:size-8";

function BookHead({ store, state, onRecenter }: HeadProps) {
  const { isPaused } = state;
  const Icon = isPaused ? Play : Pause;
  return (
    <header className="flex min-h-11 items-center justify-between gap-2 py-1 pr-1 pl-3">
      <h2 id={BOOK_HEADING_ID} tabIndex={-1} className="shrink-0 text-heading">
        Order book
      </h2>
      <div className="flex min-w-0 items-center noscript:hidden">
        <BookStatus state={state} />
        {onRecenter && (
          <button
            type="button"
            onClick={onRecenter}
            aria-keyshortcuts="Shift+C"
            className={ICON_BUTTON}
            aria-label="Center the book on the spread"
          >
            <Crosshair aria-hidden="true" className="size-4" />
          </button>
        )}
        <button
          type="button"
          onClick={() => store.setPaused(!isPaused)}
          aria-pressed={isPaused}
          aria-label="Pause updates of the book"
          className={ICON_BUTTON}
        >
          <Icon aria-hidden="true" className="size-4" />
        </button>
      </div>
    </header>
  );
}

const SEGMENT =
  "flex h-11 items-center justify-center rounded-control px-2 text-small font-[550] text-text-2 hover:bg-surface-2 hover:text-text lg:h-7";

function OutcomeSwitch({
  outcomes,
  tokenId,
}: {
  outcomes: readonly BookOutcome[];
  tokenId: string;
}) {
  return (
    <nav aria-label="Outcome" className="grid grid-cols-2 gap-1 px-2 pb-1">
      {outcomes.map((outcome) => (
        <Link
          key={outcome.tokenId}
          href={outcome.href}
          // The ticket switches immediately and keeps the typed fields; the page follows.
          onClick={() => switchTicketOutcome(outcome.tokenId)}
          prefetch={false}
          scroll={false}
          replace
          aria-current={outcome.tokenId === tokenId ? "true" : undefined}
          className={`${SEGMENT} min-w-0 aria-[current]:bg-surface-3 aria-[current]:text-text`}
        >
          <span className="truncate">{outcome.name}</span>
        </Link>
      ))}
    </nav>
  );
}

interface FootProps {
  grouping: number;
  onGroup: (grouping: number) => void;
  isOpened: boolean;
  onOpen: () => void;
}

function BookFoot({ grouping, onGroup, isOpened, onOpen }: FootProps) {
  return (
    <footer className="flex items-center justify-between gap-1 border-t border-border p-1 noscript:hidden">
      <div role="group" aria-label="Ticks per line" className="flex items-center gap-1">
        {GROUPINGS.map((ticks) => (
          <button
            key={ticks}
            type="button"
            aria-pressed={ticks === grouping}
            onClick={() => onGroup(ticks)}
            className={`${SEGMENT} num min-w-11 aria-pressed:bg-surface-3 aria-pressed:text-text lg:min-w-8`}
          >
            {ticks}
            <span className="sr-only">{ticks === 1 ? " tick" : " ticks"}</span>
          </button>
        ))}
      </div>
      <button type="button" aria-expanded={isOpened} onClick={onOpen} className={SEGMENT}>
        {isOpened ? "Less" : "More"}
        <span className="sr-only"> of the book</span>
      </button>
    </footer>
  );
}

const WORDS = {
  connecting: null,
  live: null,
  polling: null,
  resyncing: "Resyncing…",
  ended: "Signed out",
} as const;

/** The book's connection, if it isn't live. The page's freshness sign has its age. */
function BookStatus({ state }: { state: BookState }) {
  useReading("book", state.at, null, !state.isPaused);
  const isOutdated = usePageFreshness().kind === "outdated";
  // The page has one sign of outdated data.
  if (isOutdated && state.connection === "resyncing" && !state.isPaused) return null;
  const word = state.isPaused ? "Paused" : WORDS[state.connection];
  return <span className="text-caption whitespace-nowrap text-text-2">{word}</span>;
}
