import { sessionRead } from "@/lib/http/session-read";
import { PlacementState } from "@/lib/schemas/ticket";
import { findPlacement } from "@/lib/services/orders/find-placement";

export const GET = sessionRead(PlacementState, (principal, query) =>
  findPlacement(principal, query.get("key") ?? ""),
);
