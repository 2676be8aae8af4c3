import "server-only";
import { and, type Column, eq, gt, type SQL } from "drizzle-orm";
import { LIVE_EPOCH } from "@/lib/ledger/accounts";
import type { Mode } from "@/lib/venue/port";

/** One of a user's accounts, paper or live. A Principal is one. */
export interface AccountRef {
  userId: string;
  mode: Mode;
}

/** Builds the condition that a row is of a mode. Live is one special epoch, paper every other one. */
export function ofMode(epoch: Column, mode: Mode): SQL {
  return mode === "live" ? eq(epoch, LIVE_EPOCH) : gt(epoch, LIVE_EPOCH);
}

/** Builds the condition that a row belongs to an account. A row that names no mode has an epoch. */
export function ofAccount(
  table: { userId: Column } & ({ mode: Column } | { epoch: Column }),
  { userId, mode }: AccountRef,
): SQL | undefined {
  const isOfMode = "mode" in table ? eq(table.mode, mode) : ofMode(table.epoch, mode);
  return and(eq(table.userId, userId), isOfMode);
}
