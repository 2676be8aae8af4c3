import { clobRoute } from "@/lib/sandbox/clob-route";
import { readScorings } from "@/lib/sandbox/scoring";

export const POST = clobRoute("key", ({ body }) => readScorings(body));
