"use client";

import { useEffect, useRef } from "react";
import { mutate } from "swr";
import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import { SUMMARY_URL } from "@/lib/browser/use-summary";
import type { Portfolio } from "@/lib/schemas/account";

export type PortfolioWire = z.input<typeof Portfolio>;
export type PositionWire = PortfolioWire["positions"][number];

const POSITIONS_URL = "/api/ui/v1/positions";

/** Returns the account's positions. Refetches the account figures with each update. */
export function usePositions(
  initial: Initial<PortfolioWire>,
  pace: "live" | "slow" | "paused",
): Live<PortfolioWire> {
  const live = useLive("positions", POSITIONS_URL, initial, pace);
  const readAt = useRef(live.at);
  useEffect(() => {
    if (readAt.current === live.at) return;
    readAt.current = live.at;
    void mutate(SUMMARY_URL);
  }, [live.at]);
  return live;
}

/** Refetches all account data on the page after a change. */
export async function refetchAccount(): Promise<void> {
  await mutate((key) => typeof key === "string" && key.startsWith("/api/ui/"));
}
