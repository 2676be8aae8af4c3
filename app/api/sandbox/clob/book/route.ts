import { clobRoute } from "@/lib/sandbox/clob-route";
import { readWireBook } from "@/lib/sandbox/markets";

export const GET = clobRoute("open", ({ query }) => readWireBook(query.get("token_id")));
