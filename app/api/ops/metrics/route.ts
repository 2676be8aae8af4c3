import { prometheusContentType } from "prom-client";
import { operatorRoute } from "@/lib/api/operator";
import { readMetrics } from "@/lib/ops/metrics";

/** For Prometheus. */
export const GET = operatorRoute("/api/ops/metrics", async () => {
  const headers = { "content-type": prometheusContentType, "cache-control": "no-store" };
  return new Response(await readMetrics(), { headers });
});
