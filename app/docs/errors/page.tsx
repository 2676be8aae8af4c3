import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { TextTable } from "@/components/docs/text-table";
import { writeApostrophes } from "@/components/format/typographic";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";

export const metadata: Metadata = { title: "Errors" };

const STATUSES: readonly { status: number; title: string; note: string }[] = [
  { status: 400, title: "Bad Request", note: "The request was rejected and had no effect." },
  {
    status: 401,
    title: "Unauthorized",
    note: "The API key is missing or invalid, or it lacks permission.",
  },
  {
    status: 404,
    title: "Not Found",
    note: "Not found, or not in your account.",
  },
  {
    status: 405,
    title: "Method Not Allowed",
    note: "The path exists, but not with this method. See the Allow header.",
  },
  {
    status: 429,
    title: "Too Many Requests",
    note: "Wait as long as the Retry-After header says.",
  },
  {
    status: 502,
    title: "Upstream Error",
    note: "The result isn’t known yet, or the service can’t handle the request now. For orders, send the same body with the same key again.",
  },
];

export default function ErrorsPage() {
  return (
    <Article
      path="/docs/errors"
      title="Errors"
      lead="Every error code. Codes are stable, so branch on them. Messages are for people and can change."
    >
      {STATUSES.map(({ status, title, note }) => (
        <Chapter key={status} id={`status-${status}`} title={`${status} ${title}`} isWide>
          <p className="text-text-2">{note}</p>
          <TextTable
            caption={`Codes with status ${status}`}
            head={["Code", "Meaning", "Cause", "Safe to retry?"]}
            rows={listCodes(status).map((code) => {
              const { meaning, cause, retry } = ERROR_GUIDE[code];
              return {
                key: code,
                cells: [
                  <span key={code} id={code}>
                    <Code>{code}</Code>
                  </span>,
                  ...[meaning, cause, retry].map(writeApostrophes),
                ],
              };
            })}
          />
        </Chapter>
      ))}
    </Article>
  );
}

function listCodes(status: number): ErrorCode[] {
  return CODES.filter((code) => ERROR_STATUS[code] === status);
}

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
