import "server-only";
import type { z } from "zod";
import { compress } from "@/lib/api/http/compress";
import { writeAccessLog } from "@/lib/api/middleware/access-log";
import { addAge } from "@/lib/api/middleware/add-age";
import { authenticateCaller } from "@/lib/api/middleware/authenticate";
import { cacheResponse } from "@/lib/api/middleware/cache-response";
import { measureResponse } from "@/lib/api/middleware/measure-response";
import { limitRate } from "@/lib/api/middleware/limit-rate";
import {
  type ApiContext,
  type CachePolicy,
  type Middleware,
  runMiddleware,
} from "@/lib/api/middleware/middleware";
import { reportErrors } from "@/lib/api/middleware/report-errors";
import { requireVenue } from "@/lib/api/middleware/require-venue";
import { type OperationId, OPERATIONS, type Operations } from "@/lib/api/operations";
import { buildPageLink } from "@/lib/api/http/page-link";
import { type Call, readCall } from "@/lib/api/read-call";
import { type ApiRequest, readRequest } from "@/lib/api/http/request";
import { type Outgoing, Reply, toOutgoing, webResponse } from "@/lib/api/http/respond";
import { newId } from "@/lib/ids";
import { EncodedList, readErrorCode, successBody } from "@/lib/schemas/envelope";

/** The way of a request that is open to all, from the outermost step to the handler. */
const OPEN_STEPS: readonly Middleware[] = [writeAccessLog, measureResponse, reportErrors];
/** The way of a request with a caller. */
const STEPS: readonly Middleware[] = [
  ...OPEN_STEPS,
  authenticateCaller,
  limitRate,
  requireVenue,
  addAge,
  cacheResponse,
];

type GatePass = Pick<ApiContext, "params" | "bearer">;
type Given = GatePass & Pick<ApiContext, "request" | "entry">;
type Result<Id extends OperationId> = z.output<Operations[Id]["response"]> | EncodedList | Reply;
type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Result<Id>> | Result<Id>;

/** A handler as a plain Web function, which Next mounts. The Node server calls `answer`. */
export interface ApiHandler {
  (request: Request): Promise<Response>;
  operationId: OperationId;
  answer: (request: ApiRequest, passed: GatePass) => Promise<Outgoing>;
  /** The same operation for a signed-in browser, for `app/api/ui`. */
  forSession: (request: Request) => Promise<Response>;
}

/**
 * Creates the handler of an operation: every step, then the checks of the input, `handle`, and the
 * encoding.
 *
 * @param cachePolicy caches the responses of a read until the data that it names changes; null
 *   caches nothing.
 */
export function route<Id extends OperationId>(
  id: Id,
  handle: Handler<Id>,
  cachePolicy: CachePolicy | null = null,
): ApiHandler {
  const serve = async (given: Given): Promise<{ outgoing: Outgoing; reply: Reply }> => {
    const context = createContext(id, cachePolicy, given);
    const steps = given.entry === "open" ? OPEN_STEPS : STEPS;
    const reply = await runMiddleware(steps, context, () => callHandler(context, handle));
    return { outgoing: toOutgoing(reply, context.requestId, context.headers), reply };
  };
  const entry = OPERATIONS[id].access === "open" ? "open" : "key";
  // Next drops Content-Encoding from the response of a route, and compresses by itself.
  const asWeb = (mounted: ApiContext["entry"]) => async (request: Request) => {
    const given = { request: readRequest(request), entry: mounted, params: null, bearer: null };
    return webResponse((await serve(given)).outgoing, request.method);
  };
  return Object.assign(asWeb(entry), {
    operationId: id,
    answer: async (request: ApiRequest, { params, bearer }: GatePass) => {
      const { outgoing, reply } = await serve({ request, entry, params, bearer });
      return compress(outgoing, reply, request.headers.get("accept-encoding"));
    },
    forSession: asWeb("session"),
  });
}

/** Names every field, because a spread would create a new hidden class per request. */
function createContext(
  id: OperationId,
  cachePolicy: CachePolicy | null,
  { request, entry, params, bearer }: Given,
): ApiContext {
  const operation = OPERATIONS[id];
  const requestId = newId("req");
  return {
    request,
    entry,
    params,
    bearer,
    id,
    cachePolicy,
    operation,
    requestId,
    fields: { requestId, method: request.method, route: operation.path },
    headers: {},
    principal: null,
    accountVersion: null,
    comparedAt: null,
  };
}

async function callHandler<Id extends OperationId>(
  context: ApiContext,
  handle: Handler<Id>,
): Promise<Reply> {
  const call = await readCall<Id>(context);
  const result = await handle(call);
  if (result instanceof Reply) {
    const code = readErrorCode(result.answer);
    if (code !== null) context.fields.code = code;
    return result;
  }
  const link = buildPageLink(context.request, result);
  if (result instanceof EncodedList) {
    return new Reply({ status: 200, body: "" }, link, result.toBody());
  }
  return new Reply({ status: 200, body: successBody(context.operation.response, result) }, link);
}
