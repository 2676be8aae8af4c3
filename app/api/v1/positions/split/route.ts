import { route } from "@/lib/api/route";
import { refuseSimulatedFault } from "@/lib/orders/simulate-fault";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";

export const POST = route("splitPosition", ({ principal, body, headers }) => {
  refuseSimulatedFault(headers, "only faults of placing and canceling orders can be simulated");
  return splitOrMerge(principal, "split", body);
});
