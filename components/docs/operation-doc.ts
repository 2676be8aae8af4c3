/** A line of a table of parameters or fields. */
export interface FieldDoc {
  /** Below the top level with its path: "orders[].id". */
  name: string;
  /** Where a parameter goes: path, query or header. Null for a field of a body. */
  place: string | null;
  type: string;
  isRequired: boolean;
  constraints: string;
  description: string;
}

export interface CodeExample {
  language: "curl" | "JavaScript" | "Python";
  code: string;
}

/** One operation of the interface, as the reference shows it. */
export interface OperationDoc {
  id: string;
  method: "GET" | "POST" | "DELETE";
  path: string;
  summary: string;
  description: string;
  /** Which keys may: a scope, any key, or no key at all. */
  access: "open" | "key" | "read" | "trade" | "cancel";
  parameters: readonly FieldDoc[];
  body: readonly FieldDoc[] | null;
  answer: readonly FieldDoc[];
  exampleAnswer: unknown;
  failures: readonly { status: string; name: string }[];
  examples: readonly CodeExample[];
}
