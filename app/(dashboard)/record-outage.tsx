import { OutageNote } from "@/components/system/venue-outage";
import type { Principal } from "@/lib/auth/principal";
import { findOutage } from "@/lib/orders/live/reconcile-leases";

/** A note above the recorded orders and cash of a live account while the record may be stale. */
export async function RecordOutage({ principal }: { principal: Principal }) {
  const outage = await findOutage(principal);
  return outage && <OutageNote outage={outage} />;
}
