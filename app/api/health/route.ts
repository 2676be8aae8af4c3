import { route } from "@/lib/http/route";
import { checkHealth } from "@/lib/services/health/check-health";

export const GET = route("getHealth", checkHealth);
