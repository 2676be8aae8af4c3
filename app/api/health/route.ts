import { route } from "@/lib/api/route";
import { checkHealth } from "@/lib/ops/check-health";

export const GET = route("getHealth", checkHealth);
