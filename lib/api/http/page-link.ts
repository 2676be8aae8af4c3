import "server-only";
import { type ApiRequest, publicPath } from "@/lib/api/http/request";

/** Returns the `Link` header of a list with a next page, besides the cursor in its body. */
export function buildPageLink(
  { pathname, searchParams }: ApiRequest,
  result: unknown,
): Record<string, string> {
  if (typeof result !== "object" || result === null || !("nextCursor" in result)) return {};
  if (typeof result.nextCursor !== "string") return {};
  const query = new URLSearchParams(searchParams);
  query.set("nextCursor", result.nextCursor);
  return { link: `<${publicPath(pathname)}?${query}>; rel="next"` };
}
