import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { checkHealth } from "@/lib/services/health/check-health";

export const GET = route("getHealth", checkHealth);

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
