import { operatorRoute } from "@/lib/http/operator";
import { METRICS_TYPE } from "@/lib/services/ops/exposition";
import { readMetrics } from "@/lib/services/ops/metrics";

/** For Prometheus. */
export const GET = operatorRoute("/api/ops/metrics", async () => {
  const headers = { "content-type": METRICS_TYPE, "cache-control": "no-store" };
  return new Response(await readMetrics(), { headers });
});
