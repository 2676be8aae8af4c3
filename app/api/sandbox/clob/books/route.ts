import { clobRoute } from "@/lib/sandbox/clob-route";
import { readWireBooks } from "@/lib/sandbox/batch";
import { readTokens } from "@/lib/sandbox/quotes";

export const POST = clobRoute("open", ({ body }) => readWireBooks(readTokens(body)));
