import { operatorRoute } from "@/lib/api/operator";
import { checkReadiness } from "@/lib/ops/readiness";

/** Whether this process should be sent requests: 200, or 503 with the reason. */
export const GET = operatorRoute("/api/ops/ready", async () => {
  const readiness = await checkReadiness();
  return Response.json(readiness, {
    status: readiness.ready ? 200 : 503,
    headers: { "cache-control": "no-store" },
  });
});
