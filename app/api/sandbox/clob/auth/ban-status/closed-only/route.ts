import { clobRoute } from "@/lib/sandbox/clob-route";

export const GET = clobRoute("key", () => ({ closed_only: false }));
