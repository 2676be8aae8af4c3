import { route } from "@/lib/http/route";
import { redeemPosition } from "@/lib/services/portfolio/redeem-position";

export const POST = route("redeemPosition", ({ principal, params }) =>
  redeemPosition(principal, params.positionId),
);
