import { refused } from "@/lib/http/refused";
import { route } from "@/lib/http/route";
import { getBook } from "@/lib/services/markets/get-book";

export const GET = route("getBook", ({ principal, params, query }) =>
  getBook(principal, params.marketId, query.tokenId),
);

export const { HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
