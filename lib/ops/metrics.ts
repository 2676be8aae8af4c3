import "server-only";
import { Counter, Gauge, Registry } from "prom-client";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { type BooksCheckRow, countPaperOrders, type ReconcilerState } from "@/lib/db/queries/ops";
import { selectBooksCheck, selectReconcilerState } from "@/lib/db/queries/ops";
import { countByStatus } from "@/lib/db/queries/remote-orders";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { errorFields, log } from "@/lib/log";
import { checkHealth } from "@/lib/ops/check-health";
import { countAlarms, ORDER_ALARMS } from "@/lib/orders/live/alarms";
import { getContractState } from "@/lib/orders/live/contract-watch";
import { readEventLoopDelay } from "@/lib/ops/event-loop";
import { getRequestCounts } from "@/lib/ops/request-metrics";
import { findUnsettledUsers } from "@/lib/orders/live/reconcile-leases";

/** The metrics that are read from the database. */
interface StoredState {
  paper: Awaited<ReturnType<typeof countPaperOrders>>;
  live: Awaited<ReturnType<typeof countByStatus>>;
  unsettled: number;
  reconciler: ReconcilerState;
  books: BooksCheckRow | null;
}

/** The values of a gauge at the time of a scrape. */
interface Reading {
  name: string;
  help: string;
  samples: readonly {
    labels?: Readonly<Record<string, string>>;
    /** Null if not measured yet. Such samples are left out. */
    value: number | null;
  }[];
}

/** Renders all metrics in the Prometheus text format. Without a database, leaves out what it stores. */
export async function readMetrics(): Promise<string> {
  const stored = await readStored();
  const registry = new Registry();
  const readings = [
    ...readProcess(),
    ...readContract(),
    toReading("ante_database_up", "Whether the database responds.", stored ? 1 : 0),
    ...(stored ? [...readOrders(stored), ...readBooks(stored.books)] : []),
  ];
  for (const reading of readings) addGauge(registry, reading);
  addAlarms(registry);
  return Registry.merge([getRequestCounts().registry, registry]).metrics();
}

function addGauge(registry: Registry, { name, help, samples }: Reading): void {
  const labelNames = Object.keys(samples[0]?.labels ?? {});
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  const measured = samples.filter(({ value }) => value !== null);
  // A gauge without labels starts at 0, which would be reported as measured.
  if (measured.length === 0) gauge.remove();
  for (const { labels = {}, value } of measured) gauge.set(labels, value ?? 0);
}

function addAlarms(registry: Registry): void {
  const counter = new Counter({
    name: "ante_order_alarms_total",
    help: "Alarms about live orders that this process raised. The log has each with its order id.",
    labelNames: ["alarm"],
    registers: [registry],
  });
  for (const alarm of Object.keys(ORDER_ALARMS)) {
    counter.inc({ alarm }, countAlarms().get(alarm) ?? 0);
  }
}

async function readStored(): Promise<StoredState | null> {
  try {
    await checkHealth();
    const db = await getDb();
    const userIds = await findUnsettledUsers();
    const [paper, live, reconciler, books] = [
      await countPaperOrders(db),
      await countByStatus(db, UNSETTLED_STATUSES),
      await selectReconcilerState(db, userIds),
      await selectBooksCheck(db),
    ];
    return { paper, live, unsettled: userIds.length, reconciler, books };
  } catch (error) {
    log.warn("metrics read without the database", errorFields(error));
    return null;
  }
}

function readOrders({ paper, live, unsettled, reconciler }: StoredState): Reading[] {
  const unknown = live.find(({ status }) => status === "unknown");
  const ofMode = (mode: string, rows: readonly { status: string; count: number }[]) =>
    rows.map(({ status, count }) => ({ labels: { mode, status }, value: count }));
  return [
    {
      name: "ante_orders_unfinished",
      help: "Live orders by account mode and status.",
      samples: [...ofMode("paper", paper), ...ofMode("live", live)],
    },
    toReading(
      "ante_orders_unknown",
      "Orders on the venue with an unknown outcome.",
      unknown?.count ?? 0,
    ),
    toReading(
      "ante_orders_unknown_oldest_seconds",
      "Age of the oldest order with an unknown outcome.",
      unknown ? countSecondsSince(unknown.oldest) : 0,
    ),
    toReading(
      "ante_reconciler_accounts",
      "Accounts with orders or fills that the venue has not settled.",
      unsettled,
    ),
    toReading(
      "ante_reconciler_failing_accounts",
      "Of them, accounts whose last reconciliation failed.",
      reconciler.failing,
    ),
    toReading(
      "ante_reconciler_failures_in_a_row",
      "The most consecutive failures of any of these accounts.",
      reconciler.mostFailures,
    ),
    toReading(
      "ante_reconciler_new_accounts",
      "Of them, accounts that were never reconciled.",
      reconciler.neverReconciled,
    ),
    toReading(
      "ante_reconciler_lag_seconds",
      "Time since the oldest last reconciliation.",
      reconciler.oldestSuccess ? countSecondsSince(reconciler.oldestSuccess) : 0,
    ),
  ];
}

function readBooks(check: BooksCheckRow | null): Reading[] {
  const done = check?.checkedAt ? check : null;
  return [
    toReading(
      "ante_books_disagreements",
      "Mismatches in the newest check of the books.",
      done?.problems ?? null,
    ),
    toReading(
      "ante_books_check_age_seconds",
      "Age of the newest check of the books.",
      done?.checkedAt ? countSecondsSince(done.checkedAt) : null,
    ),
    toReading(
      "ante_books_check_seconds",
      "Duration of the newest check of the books.",
      done ? done.durationMs / 1000 : null,
    ),
    toReading(
      "ante_ledger_lines",
      "Transfers in the ledger at the newest check.",
      done?.transfers ?? null,
    ),
  ];
}

function readContract(): Reading[] {
  const state = getContractState();
  if (!state) return [];
  const { verdict, checkedAt } = state;
  return [
    toReading(
      "ante_venue_contract_known",
      "Whether Polymarket's API matches the one that Ante knows. 0 pauses live order placement.",
      verdict === null ? null : verdict === "known" ? 1 : 0,
    ),
    toReading(
      "ante_venue_contract_check_age_seconds",
      "Age of the newest check of Polymarket's API.",
      checkedAt === null ? null : countSecondsSince(new Date(checkedAt)),
    ),
  ];
}

function readProcess(): Reading[] {
  const { rss, heapUsed } = process.memoryUsage();
  const delay = readEventLoopDelay();
  return [
    toReading(
      "ante_uptime_seconds",
      "Time since the process started.",
      Math.round(process.uptime()),
    ),
    toReading("ante_memory_bytes", "Resident memory of the process.", rss),
    toReading("ante_heap_bytes", "JavaScript heap in use.", heapUsed),
    {
      name: "ante_event_loop_delay_seconds",
      help: "How late timers were since the last read.",
      samples: Object.entries(delay ?? {}).map(([quantile, value]) => ({
        labels: { quantile },
        value,
      })),
    },
  ];
}

const toReading = (name: string, help: string, value: number | null): Reading => ({
  name,
  help,
  samples: [{ value }],
});

const countSecondsSince = (at: Date) => Math.max(0, (now() - at.getTime()) / 1000);
