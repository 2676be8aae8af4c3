import { randomUUID } from "node:crypto";
import { paperVenue } from "@/lib/exchange";
import type { PositionChange, PositionChangeResult } from "@/lib/venue/port";

/** Splits, merges and redeems for a user, as one transaction. */
export function changePositions(
  userId: string,
  changes: readonly PositionChange[],
): Promise<PositionChangeResult> {
  return paperVenue.changePositions({
    id: randomUUID(),
    userId,
    changes,
    admit: async () => true,
    record: async () => {},
  });
}
