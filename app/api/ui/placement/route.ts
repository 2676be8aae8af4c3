import { sessionRead } from "@/lib/api/session-read";
import { PlacementState } from "@/lib/schemas/ticket";
import { findPlacement } from "@/lib/orders/find-placement";

export const GET = sessionRead(PlacementState, (principal, query) =>
  findPlacement(principal, query.get("key") ?? ""),
);
