import { route } from "@/lib/api/route";
import { refuseSimulatedFault } from "@/lib/orders/simulate-fault";
import { getApprovals, setApprovals } from "@/lib/wallet-transactions/set-approvals";

export const GET = route("getApprovals", ({ principal }) => getApprovals(principal));

export const POST = route("setApprovals", ({ principal, headers }) => {
  refuseSimulatedFault(headers, "only faults of placing and canceling orders can be simulated");
  return setApprovals(principal);
});
