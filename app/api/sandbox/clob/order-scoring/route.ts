import { clobRoute } from "@/lib/sandbox/clob-route";
import { readScoring } from "@/lib/sandbox/scoring";

export const GET = clobRoute("key", ({ query }) => readScoring(query));
