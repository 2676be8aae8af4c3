"use client";

import { useEffect, useRef } from "react";
import { mutate } from "swr";
import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/client/use-live";
import { SUMMARY_URL } from "@/lib/client/use-summary";
import type { Portfolio } from "@/lib/schemas/account";

export type PortfolioWire = z.input<typeof Portfolio>;
export type PositionWire = PortfolioWire["positions"][number];

const POSITIONS_URL = "/api/ui/v1/positions";

/** The account's positions. With each new reading the account's figures are read again too. */
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

/** Reads everything of the account again that this page has read, after something changed it. */
export async function refetchAccount(): Promise<void> {
  await mutate((key) => typeof key === "string" && key.startsWith("/api/ui/"));
}
