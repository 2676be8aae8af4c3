import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type BooksCheckRow, countPaperOrders, type ReconcilerState } from "@/lib/db/queries/ops";
import { selectBooksCheck, selectReconcilerState } from "@/lib/db/queries/ops";
import { countByStatus } from "@/lib/db/queries/remote-orders";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { errorFields, log } from "@/lib/log";
import { checkHealth } from "@/lib/services/health/check-health";
import { readEventLoopDelay } from "@/lib/services/ops/event-loop";
import { histogramText, type Metric, metricText } from "@/lib/services/ops/exposition";
import { requestCounts } from "@/lib/services/ops/request-counts";
import { unsettledUsers } from "@/lib/services/remote-orders/reconcile";

/** What the database knows. */
interface StoredState {
  paper: Awaited<ReturnType<typeof countPaperOrders>>;
  live: Awaited<ReturnType<typeof countByStatus>>;
  unsettled: number;
  reconciler: ReconcilerState;
  books: BooksCheckRow | null;
}

/** Everything a monitor may watch, as Prometheus reads it. Without its database it says just that. */
export async function readMetrics(): Promise<string> {
  const stored = await readStored();
  const { answers, latencies } = requestCounts();
  return [
    metricText({
      name: "ante_requests_total",
      help: "Requests of the interface that were answered, by the route's template.",
      type: "counter",
      samples: [...answers.values()].map(({ labels, count }) => ({ labels, value: count })),
    }),
    histogramText({
      name: "ante_request_seconds",
      help: "How long the answers took.",
      series: [...latencies.values()],
    }),
    ...processMetrics().map(metricText),
    metricText(gauge("ante_database_up", "Whether the database answers.", stored ? 1 : 0)),
    ...(stored ? [...orderMetrics(stored), ...bookMetrics(stored.books)].map(metricText) : []),
  ].join("");
}

async function readStored(): Promise<StoredState | null> {
  try {
    await checkHealth();
    const db = await getDb();
    const userIds = await unsettledUsers();
    const [paper, live, reconciler, books] = [
      await countPaperOrders(db),
      await countByStatus(db, UNSETTLED_STATUSES),
      await selectReconcilerState(db, userIds),
      await selectBooksCheck(db),
    ];
    return { paper, live, unsettled: userIds.length, reconciler, books };
  } catch (error) {
    log.warn("metrics without the database", errorFields(error));
    return null;
  }
}

function orderMetrics({ paper, live, unsettled, reconciler }: StoredState): Metric[] {
  const unknown = live.find(({ status }) => status === "unknown");
  const ofMode = (mode: string, rows: readonly { status: string; count: number }[]) =>
    rows.map(({ status, count }) => ({ labels: { mode, status }, value: count }));
  return [
    {
      name: "ante_orders_unfinished",
      help: "Orders that may still trade, by account and state.",
      type: "gauge",
      samples: [...ofMode("paper", paper), ...ofMode("live", live)],
    },
    gauge("ante_orders_unknown", "Live orders whose fate is not known.", unknown?.count ?? 0),
    gauge(
      "ante_orders_unknown_oldest_seconds",
      "Age of the oldest order whose fate is not known.",
      unknown ? secondsSince(unknown.oldest) : 0,
    ),
    gauge("ante_reconciler_accounts", "Accounts with something only the venue can end.", unsettled),
    gauge(
      "ante_reconciler_failing_accounts",
      "Of them, last comparison failed.",
      reconciler.failing,
    ),
    gauge("ante_reconciler_failures_in_a_row", "Of the worst account.", reconciler.worstRow),
    gauge("ante_reconciler_new_accounts", "Of them, never compared.", reconciler.neverDone),
    gauge(
      "ante_reconciler_lag_seconds",
      "Since the account that waits longest was compared.",
      reconciler.longestSince ? secondsSince(reconciler.longestSince) : 0,
    ),
  ];
}

function bookMetrics(check: BooksCheckRow | null): Metric[] {
  const done = check?.checkedAt ? check : null;
  return [
    gauge("ante_books_disagreements", "What the newest check found.", done?.problems ?? null),
    gauge(
      "ante_books_check_age_seconds",
      "Since the newest check of the books.",
      done?.checkedAt ? secondsSince(done.checkedAt) : null,
    ),
    gauge("ante_books_check_seconds", "How long it took.", done ? done.durationMs / 1000 : null),
    gauge("ante_ledger_lines", "Lines of the ledger then.", done?.transfers ?? null),
  ];
}

function processMetrics(): Metric[] {
  const { rss, heapUsed } = process.memoryUsage();
  const delay = readEventLoopDelay();
  return [
    gauge("ante_uptime_seconds", "Since the process began.", Math.round(process.uptime())),
    gauge("ante_memory_bytes", "Memory that the process holds.", rss),
    gauge("ante_heap_bytes", "Of it, what JavaScript uses.", heapUsed),
    {
      name: "ante_event_loop_delay_seconds",
      help: "How late timers were since the last look.",
      type: "gauge",
      samples: Object.entries(delay ?? {}).map(([quantile, value]) => ({
        labels: { quantile },
        value,
      })),
    },
  ];
}

const gauge = (name: string, help: string, value: number | null): Metric => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }],
});

const secondsSince = (at: Date) => Math.max(0, (now() - at.getTime()) / 1000);
