import "server-only";
import { AppError } from "@/lib/errors";
import { formatMicro, type Shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** The hashed key of a request and the hash of its fields; null without a key. */
export type RequestKey = { keyHash: string; fingerprint: string } | null;

/** A split or merge on either venue. */
export interface SplitOrMergeRequest {
  kind: "split" | "merge";
  market: Market;
  shares: Shares;
  key: RequestKey;
}

/** Refuses a split without enough cash, or a merge without enough shares of an outcome. */
export function insufficient(
  kind: SplitOrMergeRequest["kind"],
  available: bigint | null,
): AppError {
  const amount = available === null ? "" : `: ${formatMicro(available)} available`;
  return kind === "split"
    ? new AppError("INSUFFICIENT_BALANCE", `There isn't enough USDC for this split${amount}.`)
    : new AppError(
        "INSUFFICIENT_SHARES",
        `A merge needs this many shares of each outcome${amount}.`,
      );
}
