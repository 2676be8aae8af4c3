import "server-only";
import { runWithResponse } from "@/lib/page-response";
import { isDocumentRequest } from "@/lib/server/document-request";
import type { PageHandler } from "@/lib/server/node-server";

/** Lets pages give their documents the status 404; see `withNotFound` of the pages. */
export function withMissingPage(pages: PageHandler): PageHandler {
  return (request, response) => {
    // A navigation inside the dashboard takes any other status than 200 for a failure.
    if (!isDocumentRequest(request)) return pages(request, response);
    return runWithResponse(response, () => pages(request, response));
  };
}
