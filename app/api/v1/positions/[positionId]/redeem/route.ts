import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { redeemPosition } from "@/lib/services/portfolio/redeem-position";

export const POST = route("redeemPosition", ({ principal, params }) =>
  redeemPosition(principal, params.positionId),
);

export const { GET, HEAD, OPTIONS, PUT, PATCH, DELETE } = refused;
