import "server-only";
import { now } from "@/lib/clock";
import { openTrader } from "@/lib/custody/trader";
import { getDb } from "@/lib/db/client";
import { selectUserWithCredentials } from "@/lib/db/queries/live-wallets";
import type { Refusal } from "@/lib/domain/funding";
import { AppError } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { startJob, type StopJob } from "@/lib/schedule";
import { remoteVenue } from "@/lib/venues";
import type { Trader } from "@/lib/venue/trader";

/** How often the contract is checked while it is known. */
const CHECK_EVERY_MS = 3_600_000;
/** How often it is checked while it is unknown, or the venue does not respond. */
const RETRY_EVERY_MS = 15_000;
/** How often a process compares the time with `dueAt`. */
const TICK_MS = 1_000;

export interface ContractState {
  /** Null until the venue has responded once since this process started. */
  verdict: "known" | "unknown" | null;
  /** The differences from the known contract. */
  differences: readonly string[];
  /** When the verdict was found. */
  checkedAt: number | null;
  /** When the next check is due. */
  dueAt: number;
  running: Promise<void> | null;
  /** How often an order showed a difference. A check that began before the last one proves nothing. */
  reports: number;
}

// Next and the server entry are separate bundles of this module; only globalThis is shared.
const HOLDER = Symbol.for("ante.venue-contract");
const holder = globalThis as typeof globalThis & { [HOLDER]?: ContractState };

/**
 * Checks the venue's contract now and every hour. While it differs from the known contract, no live
 * order is placed; cancels and reads continue. Every process has its own watch.
 *
 * @returns a function that stops the watch and waits for the running check.
 */
export function startContractWatch(): StopJob {
  holder[HOLDER] = {
    verdict: null,
    differences: [],
    checkedAt: null,
    dueAt: 0,
    running: null,
    reports: 0,
  };
  const stop = startJob({ name: "contract check", everyMs: TICK_MS, startsNow: true }, () =>
    checkIfDue(false),
  );
  return async () => {
    await stop();
    await holder[HOLDER]?.running;
    delete holder[HOLDER];
  };
}

/** Returns the state of this process's watch; null if none runs. */
export function getContractState(): ContractState | null {
  return holder[HOLDER] ?? null;
}

/**
 * Returns why no live order may be posted now; null if orders may be posted. Before the first check
 * has succeeded, nothing is posted either.
 */
export async function findContractPause(): Promise<Refusal | null> {
  // Timers do not run between requests on hosts such as Vercel, so an order triggers a due check.
  await checkIfDue(true);
  switch (holder[HOLDER]?.verdict) {
    case "unknown":
      return {
        code: "TRADING_PAUSED",
        message:
          "Polymarket changed its API, so Ante does not place orders. Cancels and reads still work.",
      };
    case null:
      return {
        code: "UPSTREAM_UNAVAILABLE",
        message: "Polymarket has not responded since this service started. Try again.",
      };
    default:
      return null;
  }
}

/**
 * Pauses placing now, because the venue's response to an order differs from the known contract. The
 * next checks decide when it continues.
 */
export function reportContractChange(difference: string): void {
  const state = holder[HOLDER];
  if (!state) return;
  state.reports += 1;
  record(state, "unknown", [difference]);
  state.dueAt = now() + RETRY_EVERY_MS;
}

/** Throws a 502 if no live order may be posted now. */
export async function requireKnownContract(): Promise<void> {
  const pause = await findContractPause();
  if (pause) throw new AppError(pause.code, pause.message);
}

/** Runs a check if it is due. An order that waits for the first verdict makes it due. */
async function checkIfDue(isWaiting: boolean): Promise<void> {
  const state = holder[HOLDER];
  if (!state) return;
  if (now() >= state.dueAt || (isWaiting && state.verdict === null)) {
    state.running ??= check(state).finally(() => {
      state.running = null;
    });
  }
  if (isWaiting && state.verdict === null) await state.running;
}

async function check(state: ContractState): Promise<void> {
  let isAnswered = false;
  const { reports } = state;
  try {
    const checks = await remoteVenue().checkContract(await openSomeTrader());
    const differences = checks
      .filter(({ outcome }) => outcome === "differs")
      .map(({ part, detail }) => `${part}: ${detail}`);
    isAnswered = differences.length > 0 || checks.every(({ outcome }) => outcome !== "no_answer");
    // An outage proves nothing about the contract, so the last verdict stays.
    if (!isAnswered) log.warn("venue contract not checked: no response");
    else if (state.reports === reports || differences.length > 0)
      record(state, differences.length > 0 ? "unknown" : "known", differences);
  } catch (error) {
    log.error("venue contract not checked", errorFields(error));
  }
  const isSettled = isAnswered && state.verdict === "known";
  state.dueAt = now() + (isSettled ? CHECK_EVERY_MS : RETRY_EVERY_MS);
}

function record(
  state: ContractState,
  verdict: "known" | "unknown",
  differences: readonly string[],
): void {
  const error = differences.join("; ");
  if (verdict === "unknown") log.error("VENUE_CONTRACT_UNKNOWN", { error });
  else if (state.verdict !== "known") log.info("venue contract known");
  Object.assign(state, { verdict, differences, checkedAt: now() });
}

/** Opens any live account with credentials, to check the form of its orders. Null without one. */
async function openSomeTrader(): Promise<Trader | null> {
  try {
    const userId = await selectUserWithCredentials(await getDb());
    return userId === null ? null : await openTrader(userId);
  } catch (error) {
    log.warn("no account opened to check the form of orders", errorFields(error));
    return null;
  }
}
