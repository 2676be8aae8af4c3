import { clobRoute } from "@/lib/sandbox/clob-route";

/** The exchange never lags behind its own ledger: there is nothing to read again. */
export const GET = clobRoute("key", () => null);
