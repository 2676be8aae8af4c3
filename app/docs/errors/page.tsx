import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { TextTable } from "@/components/docs/text-table";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";

export const metadata: Metadata = { title: "Errors" };

const STATUSES: readonly { status: number; title: string; note: string }[] = [
  { status: 400, title: "Bad Request", note: "Nothing happened and nothing will." },
  { status: 401, title: "Unauthorized", note: "The key, or what it may do." },
  {
    status: 404,
    title: "Not Found",
    note: "It does not exist, or it is not yours: no telling which.",
  },
  { status: 405, title: "Method Not Allowed", note: "The path exists; the header Allow says how." },
  {
    status: 429,
    title: "Too Many Requests",
    note: "The header Retry-After says how long to wait.",
  },
  {
    status: 502,
    title: "Upstream Error",
    note: "Not known yet, or not possible now. Orders: send the same body with the same key again.",
  },
];

export default function ErrorsPage() {
  return (
    <Article
      title="Errors"
      lead="Every code that an answer can carry. Codes are stable: build on them. Messages are for people and may change."
      isWide
    >
      {STATUSES.map(({ status, title, note }) => (
        <Chapter key={status} id={`status-${status}`} title={`${status} ${title}`} isWide>
          <p className="text-text-2">{note}</p>
          <TextTable
            caption={`Codes with status ${status}`}
            head={["Code", "Meaning", "Cause", "Safe to retry?"]}
            rows={codesOf(status).map((code) => {
              const { meaning, cause, retry } = ERROR_GUIDE[code];
              return {
                key: code,
                cells: [
                  <span key={code} id={code}>
                    <Code>{code}</Code>
                  </span>,
                  meaning,
                  cause,
                  retry,
                ],
              };
            })}
          />
        </Chapter>
      ))}
    </Article>
  );
}

function codesOf(status: number): ErrorCode[] {
  return CODES.filter((code) => ERROR_STATUS[code] === status);
}

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
