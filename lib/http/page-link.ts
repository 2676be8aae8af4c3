import "server-only";
import { publicPath } from "@/lib/http/gate";

/** The `Link` header of a list that goes on, beside the cursor in its body. */
export function pageLink(request: Request, result: unknown): Record<string, string> {
  if (typeof result !== "object" || result === null || !("nextCursor" in result)) return {};
  if (typeof result.nextCursor !== "string") return {};
  const url = new URL(request.url);
  url.searchParams.set("nextCursor", result.nextCursor);
  return { link: `<${publicPath(url.pathname)}${url.search}>; rel="next"` };
}
