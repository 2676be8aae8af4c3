import "server-only";
import { TrieRouter } from "hono/router/trie-router";
import type { Operation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";

const TABLE = Object.entries<Operation>(OPERATIONS).map(([id, operation]) => ({
  id: id as OperationId,
  operation,
}));
const METHODS = [...new Set(TABLE.map(({ operation }) => operation.method))];
const PARAMETER = /\{(\w+)\}/g;

const router = new TrieRouter<(typeof TABLE)[number]>();
// The router returns matches in the order of registration, and a literal path goes first.
for (const entry of TABLE.toSorted((a, b) => countParameters(a) - countParameters(b))) {
  const { method, path } = entry.operation;
  router.add(method, path.replaceAll(PARAMETER, ":$1"), entry);
}

/** The operations whose paths have no parameter: these need no search, which takes a microsecond. */
const literal = new Map(
  TABLE.filter((entry) => countParameters(entry) === 0).map(({ id, operation }) => [
    `${operation.method} ${operation.path}`,
    { id, operation, params: {} },
  ]),
);

export interface FoundOperation {
  id: OperationId;
  operation: Operation;
  /** The decoded segments of the path by parameter name. */
  params: Readonly<Record<string, string>>;
}

/**
 * Finds the operation of a method and a public path; null if there is none. A path matches literally
 * before it matches a parameter, method by method: GET /v1/orders/open lists orders, and
 * DELETE /v1/orders/open cancels the order with the id "open".
 *
 * @throws URIError if a parameter of the path cannot be decoded.
 */
export function findOperation(method: string, path: string): FoundOperation | null {
  // HEAD returns the headers of GET.
  const listed = method === "HEAD" ? "GET" : method;
  const known = literal.get(`${listed} ${path}`);
  if (known) return known;
  const [[[entry, raw] = []]] = router.match(listed, path);
  if (!entry) return null;
  const params = Object.entries(raw ?? {}).map(([name, value]) => [
    name,
    decodeURIComponent(String(value)),
  ]);
  return { id: entry.id, operation: entry.operation, params: Object.fromEntries(params) };
}

/** Lists the methods of a public path for `Allow`; empty if the path is unknown. */
export function listMethods(path: string): string[] {
  const known = new Set<string>(
    METHODS.flatMap((method) => router.match(method, path)[0].map(([{ id }]) => id)),
  );
  if (known.size === 0) return [];
  const defined = TABLE.filter(({ id }) => known.has(id)).map(({ operation }) => operation.method);
  return [
    ...[...new Set(defined)].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])),
    "OPTIONS",
  ];
}

function countParameters({ operation }: { operation: Operation }): number {
  return operation.path.match(PARAMETER)?.length ?? 0;
}
