import "server-only";
import type { z } from "zod";
import { MAX_BODY_BYTES, readJson } from "@/lib/api/http/body";
import { findOperation } from "@/lib/api/gate/find-operation";
import { type ApiRequest, operationPath } from "@/lib/api/http/request";
import { withHeaderKey } from "@/lib/api/http/idempotency-header";
import type { ApiContext } from "@/lib/api/middleware/middleware";
import type { OperationId, Operations } from "@/lib/api/operations";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/schemas/envelope";
import { refuseOptionsInQuery, refuseUnsupportedOptions } from "@/lib/schemas/order-options";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Caller<Id extends OperationId> = Operations[Id]["access"] extends "open" ? null : Principal;

/** The checked and typed input of a handler. */
export interface Call<Id extends OperationId> {
  principal: Caller<Id>;
  params: Parsed<Operations[Id]["params"]>;
  query: Parsed<Operations[Id]["query"]>;
  body: Parsed<Operations[Id]["body"]>;
  headers: ApiRequest["headers"];
}

/** How much of an unknown query name a message repeats. */
const MAX_NAME = 64;

/** Checks path parameters, query and body of a request. */
export async function readCall<Id extends OperationId>(context: ApiContext): Promise<Call<Id>> {
  const { operation, request, principal } = context;
  const { params, body, method, isInContract } = operation;
  if (body === null && method !== "GET" && !isInContract) await refuseBody(request);
  return {
    principal,
    params: parseInput(params, readParams(context)),
    query: readQuery(context),
    body: body === null ? undefined : await readBody(context, body),
    headers: request.headers,
  } as Call<Id>;
}

/** Path parameters come from the path itself, so every mount reads them alike. */
function readParams({ id, request, params }: ApiContext): Readonly<Record<string, string>> {
  if (params) return params;
  const found = findOperation(request.method, operationPath(request.pathname));
  if (found?.id === id) return found.params;
  throw new AppError("ROUTE_NOT_FOUND", "There is no such path in this interface.");
}

/**
 * The contract ignores unknown query names on its own endpoints, except where ignoring one places or
 * cancels something else than was meant. Additions refuse them: `DELETE /v1/orders?marketId=` would
 * cancel everything.
 */
function readQuery({ operation, request }: ApiContext): unknown {
  const { query: schema, isInContract, method } = operation;
  const query = collectQuery(request);
  if (!isInContract) refuseUnknownNames(Object.keys(schema.shape), query);
  else if (method !== "GET") refuseOptionsInQuery(query);
  return parseInput(schema, query);
}

function collectQuery({ searchParams }: ApiRequest): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name)) {
      throw new AppError("VALIDATION_ERROR", `${name}: is given more than once`);
    }
    // Assigning to "__proto__" would set the prototype.
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

function refuseUnknownNames(
  known: readonly string[],
  query: Readonly<Record<string, string>>,
): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const choice = known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
  throw new AppError(
    "VALIDATION_ERROR",
    `${unknown.slice(0, MAX_NAME)}: is not a query parameter of this operation; ${choice}`,
  );
}

/** Refuses a body where an addition reads none: a filter in it would be ignored. */
async function refuseBody(request: ApiRequest): Promise<void> {
  const bytes = await request.readBody(MAX_BODY_BYTES);
  const text = bytes === null ? null : Buffer.from(bytes).toString().replaceAll(/\s/g, "");
  if (text === "" || text === "{}") return;
  throw new AppError("VALIDATION_ERROR", "This operation reads no body. Send none.");
}

async function readBody({ id, request }: ApiContext, schema: z.ZodType): Promise<unknown> {
  const sent = await readJson(request);
  if (id !== "placeOrder" && id !== "previewOrder") return parseInput(schema, sent);
  refuseUnsupportedOptions(sent);
  return parseInput(schema, withHeaderKey(sent, request.headers));
}
