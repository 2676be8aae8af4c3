import type { ErrorCode } from "@/lib/errors";
import type { DocsLanguage } from "@/lib/browser/docs-language";

/** A row of a table of parameters or fields. */
export interface FieldDoc {
  /** Nested fields have a path: "orders[].id". */
  name: string;
  /** The location of a parameter: path, query or header. Null for a field of a body. */
  place: string | null;
  type: string;
  isRequired: boolean;
  constraints: string;
  description: string;
}

export interface CodeExample {
  language: DocsLanguage;
  code: string;
}

/** An operation as the reference shows it. */
export interface OperationDoc {
  id: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** Its name in the contents. */
  title: string;
  summary: string;
  description: string;
  /** The required scope, "key" for any key, or "open" for none. */
  access: "open" | "key" | "read" | "trade" | "cancel" | "webhooks";
  parameters: readonly FieldDoc[];
  body: readonly FieldDoc[] | null;
  answer: readonly FieldDoc[];
  exampleResponse: unknown;
  /** The failures by status, with the codes that not every operation has. */
  failures: readonly { status: string; name: string; codes: readonly ErrorCode[] }[];
  /** A failure that this operation has, or one that all have. */
  exampleFailure: { status: string; body: unknown };
  examples: readonly CodeExample[];
  /** Which ids of the examples the reader has to replace; null if none. */
  ownIds: string | null;
}
