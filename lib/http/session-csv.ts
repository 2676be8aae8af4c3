import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { countRequest } from "@/lib/auth/rate-limit";
import { authenticateSession } from "@/lib/auth/session";
import { type CsvCell, csvLine } from "@/lib/domain/csv";
import { AppError } from "@/lib/errors";
import { countSession } from "@/lib/http/count-session";
import { failureReply, toResponse } from "@/lib/http/respond";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";

/** A spreadsheet tells UTF-8 by this mark. */
const BYTE_ORDER_MARK = "\uFEFF";

interface Csv {
  fileName: string;
  columns: readonly string[];
  /** The rows, page by page, so that no more than one page is held. */
  pages: (principal: Principal, query: URLSearchParams) => AsyncIterable<readonly CsvCell[][]>;
}

/** Makes a handler that hands a list of the dashboard over as a file, proven by the session. */
export function sessionCsv(csv: Csv): (request: Request) => Promise<Response> {
  const serve = async (request: Request) => {
    const requestId = newId("req");
    try {
      const principal = await authenticateSession(request);
      await countRequest(principal, "read");
      const pages = csv.pages(principal, new URL(request.url).searchParams);
      return new Response(streamOf(csv, pages[Symbol.asyncIterator]()), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${csv.fileName}"`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "x-request-id": requestId,
        },
      });
    } catch (error) {
      if (error instanceof AppError) return toResponse(failureReply(error), requestId);
      log.error("download failed", { requestId, ...errorFields(error) });
      throw error;
    }
  };
  return (request) => countSession(request, serve);
}

/** A page is read when the one before it has been taken. */
function streamOf(
  { columns }: Csv,
  pages: AsyncIterator<readonly CsvCell[][]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvLine(columns)));
    },
    pull: async (controller) => {
      const page = await pages.next();
      if (page.done === true) controller.close();
      else controller.enqueue(encoder.encode(page.value.map(csvLine).join("")));
    },
    cancel: async () => {
      await pages.return?.();
    },
  });
}
