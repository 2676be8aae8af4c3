import { route } from "@/lib/api/route";
import { refuseSimulatedFault } from "@/lib/orders/simulate-fault";
import { redeemPosition } from "@/lib/portfolio/redeem-position";

export const POST = route("redeemPosition", ({ principal, params, headers }) => {
  refuseSimulatedFault(headers, "only faults of placing and canceling orders can be simulated");
  return redeemPosition(principal, params.positionId);
});
