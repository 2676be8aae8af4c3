import { clobRoute } from "@/lib/sandbox/clob-route";

/** The paper exchange has none. */
export const GET = clobRoute("key", () => []);
