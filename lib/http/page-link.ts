import "server-only";
import { publicPath } from "@/lib/http/gate";
import type { ApiRequest } from "@/lib/http/request";

/** The `Link` header of a list that goes on, beside the cursor in its body. */
export function pageLink(
  { pathname, searchParams }: ApiRequest,
  result: unknown,
): Record<string, string> {
  if (typeof result !== "object" || result === null || !("nextCursor" in result)) return {};
  if (typeof result.nextCursor !== "string") return {};
  const query = new URLSearchParams(searchParams);
  query.set("nextCursor", result.nextCursor);
  return { link: `<${publicPath(pathname)}?${query}>; rel="next"` };
}
