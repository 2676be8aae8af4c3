import "server-only";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { SIMULATED_SETTLEMENTS } from "@/lib/domain/simulated-settlement";
import { selectSandboxSwitches, upsertSandboxSwitches } from "@/lib/db/queries/sandbox-switches";

/** Other processes follow a change within this time. */
const MAX_AGE_MS = 500;

/** The trading phases of the venue (polymarket.md 9.3). */
const PHASES = ["open", "restarting", "post-only", "cancel-only", "disabled"] as const;

/** Above the venue's limits too, to see what a client does then. */
const Bps = z.int().min(0).max(10_000);

const Switches = z.object({
  phase: z.enum(PHASES),
  /** Whether new orders are refused by region. */
  isGeoblocked: z.boolean(),
  /** Whether orders and cancels are refused by the rate limiter. */
  isRateLimited: z.boolean(),
  /** Whether new orders match only seconds later, as in the venue's sports markets. */
  isDelayed: z.boolean(),
  /** How the trades of new orders settle. */
  settlement: z.enum(["normal", ...SIMULATED_SETTLEMENTS]),
  /** The fees of every builder code, in hundredths of a percent. An order pays those of its placement. */
  builderFees: z.strictObject({ takerBps: Bps, makerBps: Bps }),
  /** What `GET /version` names. From 3 on, orders on the exchanges of Protocol V1 are refused. */
  version: z.union([z.literal(2), z.literal(3)]),
});
/** The conditions that the operator sets for every request to the sandbox while it runs. */
type Switches = z.output<typeof Switches>;

/** The switches before the first change. */
export const NO_FAULTS: SwitchState = {
  phase: "open",
  isGeoblocked: false,
  isRateLimited: false,
  isDelayed: false,
  settlement: "normal",
  builderFees: { takerBps: 0, makerBps: 0 },
  version: 2,
  changedAt: null,
};

/** The switches to change. The others stay. */
export const SwitchChange = z
  .strictObject(Switches.shape)
  .partial()
  .refine((change) => Object.keys(change).length > 0, "name at least one switch");

export interface SwitchState extends Switches {
  /** When a switch was last changed, in milliseconds; null for never. */
  changedAt: number | null;
}

let known: { state: SwitchState; readAt: number } | null = null;

/** Reads the switches, at most MAX_AGE_MS old. */
export async function readSwitches(): Promise<SwitchState> {
  if (known && performance.now() - known.readAt < MAX_AGE_MS) return known.state;
  return readStoredSwitches();
}

/** Reads the switches as they are stored now, also after a change by another process. */
export async function readStoredSwitches(): Promise<SwitchState> {
  const readAt = performance.now();
  const row = await selectSandboxSwitches(await getDb());
  const switches = Switches.parse({ ...NO_FAULTS, ...row?.switches });
  const state = { ...switches, changedAt: row?.changedAt.getTime() ?? null };
  // A read that began earlier can end later.
  if (!known || known.readAt <= readAt) known = { state, readAt };
  return state;
}

/** Changes switches for every process of the service. Returns all of them. */
export async function changeSwitches(change: z.output<typeof SwitchChange>): Promise<SwitchState> {
  await upsertSandboxSwitches(await getDb(), { switches: change, changedAt: new Date(now()) });
  return readStoredSwitches();
}
