import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { countRequest } from "@/lib/auth/rate-limit";
import { authenticateSession } from "@/lib/auth/session";
import { type CsvCell, formatCsvLine } from "@/lib/domain/csv";
import { readSessionQuery } from "@/lib/api/http/request";
import { INTERFACE_HEADERS } from "@/lib/api/http/respond";
import { serveSession } from "@/lib/api/serve-session";

/** Spreadsheets recognize UTF-8 by this mark. */
const BYTE_ORDER_MARK = "\uFEFF";

interface Csv {
  fileName: string;
  columns: readonly string[];
  /** The rows page by page, so that memory holds only one page. */
  pages: (principal: Principal, query: URLSearchParams) => AsyncIterable<readonly CsvCell[][]>;
}

/** Creates the handler that downloads a list of the dashboard as a file, for a session. */
export function sessionCsv(csv: Csv): (request: Request) => Promise<Response> {
  return (request) =>
    serveSession(request, async (requestId) => {
      const principal = await authenticateSession(request);
      await countRequest(principal, "read");
      const pages = csv.pages(principal, readSessionQuery(request));
      return new Response(createStream(csv, pages[Symbol.asyncIterator]()), {
        headers: {
          ...INTERFACE_HEADERS,
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${csv.fileName}"`,
          "x-request-id": requestId,
        },
      });
    });
}

/** Reads a page once the one before it was sent. */
function createStream(
  { columns }: Csv,
  pages: AsyncIterator<readonly CsvCell[][]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK + formatCsvLine(columns)));
    },
    pull: async (controller) => {
      const page = await pages.next();
      if (page.done === true) controller.close();
      else controller.enqueue(encoder.encode(page.value.map(formatCsvLine).join("")));
    },
    cancel: async () => {
      await pages.return?.();
    },
  });
}
