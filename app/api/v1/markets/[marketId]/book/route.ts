import { route } from "@/lib/api/route";
import { getBook } from "@/lib/markets/get-book";

export const GET = route("getBook", ({ principal, params, query }) =>
  getBook(principal, params.marketId, query.tokenId),
);
