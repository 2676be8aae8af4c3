import "server-only";
import { z } from "zod";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { OPERATION_GROUPS } from "@/lib/domain/operation-groups";
import { env } from "@/lib/env";
import { ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import { Failure } from "@/lib/schemas/envelope";
import { buildComponents, buildReference } from "@/lib/api/components";
import {
  EVENT_MESSAGES,
  MESSAGE_SCHEMAS,
  type MessageDoc,
  TEST_MESSAGE,
  WEBHOOK_HEADERS,
} from "@/lib/api/event-messages";
import { type Components, JsonSchema } from "@/lib/api/operations/json-schema";
import { buildSample, SAMPLE_EVENT, SAMPLE_IDS } from "@/lib/api/operations/examples";
import { listErrorCodes, type Operation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";

type Json = Record<string, unknown>;

/** The statuses that the interface lists at every endpoint, and the additions to them. */
const FAILURES = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  429: "Too Many Requests",
  502: "Upstream Error",
} as const;

let text: string | undefined;

/** The OpenAPI 3.1 document, as JSON text. It is built once, from the schemas that validate. */
export function openApiText(): string {
  text ??= JSON.stringify(buildDocument());
  return text;
}

function buildDocument(): Json {
  const origin = env().NEXTAUTH_URL;
  const schemas = buildComponents(listSchemas());
  return {
    openapi: "3.1.0",
    info: {
      title: "Ante: betting account service",
      version: "1.0.0",
      summary: "Trade prediction markets with an API key.",
      description:
        "Every response is an envelope: `{ ok: true, data }` or `{ ok: false, error: { code, message } }`. " +
        "Branch on `code` and show `message` to users. Responses can gain properties and codes; " +
        "ignore those that you do not know.",
      contact: { name: "Ante", url: `${origin}/docs` },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: origin, description: "This server" }],
    tags: OPERATION_GROUPS.map(({ name, description }) => ({ name, description })),
    paths: buildPaths(schemas),
    webhooks: buildWebhooks(),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key from the dashboard." },
      },
      headers: HEADERS,
      schemas,
    },
  };
}

/** The schemas of all bodies and responses. */
function listSchemas(): z.ZodType[] {
  const operations: Operation[] = Object.values(OPERATIONS);
  const own = operations.flatMap(({ body, response }) => (body ? [body, response] : [response]));
  return [...own, Failure, ...MESSAGE_SCHEMAS];
}

function buildPaths(components: Json): Json {
  const document: Record<string, Json> = {};
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const item = (document[operation.path] ??= {});
    item[operation.method.toLowerCase()] = buildOperation(id as OperationId, components);
  }
  return document;
}

/** What a webhook endpoint gets: a POST of each type of message. */
function buildWebhooks(): Json {
  const parameters = WEBHOOK_HEADERS.map(({ name, description }) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  }));
  const build = ({ type, meaning, payload }: MessageDoc): Json => ({
    post: {
      operationId: `on ${type}`.replaceAll(/[ ._](\w)/g, (_, letter: string) =>
        letter.toUpperCase(),
      ),
      tags: ["Webhooks"],
      summary: meaning,
      description:
        "Verify the signature, and respond with a status of 200 to 299 within 15 seconds.",
      security: [],
      parameters,
      requestBody: { required: true, content: { "application/json": { schema: payload } } },
      responses: {
        "2XX": { description: "The message is acknowledged." },
        "410": { description: "The endpoint is gone: it is disabled." },
      },
    },
  });
  const messages = [...EVENT_MESSAGES, TEST_MESSAGE];
  return Object.fromEntries(messages.map((message) => [message.type, build(message)]));
}

function buildOperation(id: OperationId, components: Json): Json {
  const operation: Operation = OPERATIONS[id];
  const { summary, description, group, access, params, query, response } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    security: access === "open" ? [] : [{ bearer: [] }],
    parameters: [
      ...buildParameters(params, "path", SAMPLE_IDS),
      ...buildParameters(query, "query", operation.exampleQuery ?? {}),
      ...listRequestHeaders(id),
    ],
    ...(operation.body ? { requestBody: buildRequestBody(operation, operation.body) } : {}),
    responses: {
      200: buildSuccess(id, response, components),
      ...buildFailures(id),
    },
    ...(access === "open" || access === "key" ? {} : { "x-scope": access }),
  };
}

function buildRequestBody(
  { bodyDescription = "", exampleBodies = {} }: Operation,
  body: z.ZodType,
): Json {
  return {
    required: true,
    description: bodyDescription,
    content: {
      "application/json": {
        schema: buildReference(body),
        examples: Object.fromEntries(
          Object.entries(exampleBodies).map(([name, value]) => [
            name.replaceAll(" ", "-"),
            { summary: name, value },
          ]),
        ),
      },
    },
  };
}

/** The document itself comes without the envelope, so that tools can read it. */
function buildSuccess(id: OperationId, response: z.ZodType, components: Json): Json {
  if (isStreamed(id)) return buildStream(id);
  const isDocument = "isDocument" in OPERATIONS[id];
  const schema = isDocument
    ? { type: "object", description: `${OPERATIONS[id].title}.` }
    : {
        type: "object",
        properties: {
          ok: { const: true, description: "True for a success." },
          data: buildReference(response),
        },
        required: ["ok", "data"],
      };
  const example = isDocument
    ? { info: { title: OPERATIONS[id].title, version: "1.0.0" } }
    : buildSample(JsonSchema.parse(schema), components as Components, listExampleValues(id));
  return {
    description: `OK: ${OPERATIONS[id].summary}`,
    headers: listHeaders(id, 200),
    content: { "application/json": { schema, example } },
  };
}

const listExampleValues = (id: OperationId) => (OPERATIONS[id] as Operation).exampleValues ?? {};

const isStreamed = (id: OperationId) => "isStream" in OPERATIONS[id];

function writeStreamExample(): string {
  const { seq, type } = SAMPLE_EVENT;
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(SAMPLE_EVENT)}\n\n`;
}

function buildStream(id: OperationId): Json {
  return {
    description: `OK: ${OPERATIONS[id].summary}`,
    headers: listHeaders(id, 200),
    content: {
      "text/event-stream": {
        schema: { type: "string", description: "Each data line is an AccountEvent." },
        example: writeStreamExample(),
      },
    },
  };
}

/**
 * The interface lists 400, 401, 404 and 502 at every endpoint, so those that an operation does not
 * return are listed too, and say so.
 */
function buildFailures(id: OperationId): Json {
  const codes = listErrorCodes(OPERATIONS[id]);
  const entries = Object.entries(FAILURES).flatMap(([key, name]): [string, Json][] => {
    const status = Number(key);
    const own = codes.filter((code) => ERROR_STATUS[code] === status);
    if (own.length === 0 && status === 429) return [];
    const description =
      own.length > 0 ? `${name}: ${own.join(", ")}` : `${name}: this operation does not return it.`;
    const examples = Object.fromEntries(own.map((code) => [code, failureExample(code)]));
    const content = { schema: buildReference(Failure), ...(own.length > 0 ? { examples } : {}) };
    const response = {
      description,
      headers: listHeaders(id, status),
      content: { "application/json": content },
    };
    return [[key, response]];
  });
  return Object.fromEntries(entries) as Json;
}

function failureExample(code: ErrorCode): Json {
  const { meaning, cause } = ERROR_GUIDE[code];
  return {
    summary: meaning,
    description: cause,
    value: { ok: false, error: { code, message: meaning } },
  };
}

/** Every header that a response can carry, besides Content-Type and Content-Length. */
const HEADERS = {
  "X-Request-Id": header("The id of this request; quote it when you report a problem.", "string"),
  "Cache-Control": header("Always no-store: a response belongs to its account.", "string"),
  "X-Content-Type-Options": header("Always nosniff.", "string"),
  "Content-Security-Policy": header("Nothing in a response can be run or framed.", "string"),
  "Cross-Origin-Resource-Policy": header("Always same-origin.", "string"),
  "WWW-Authenticate": header("Always Bearer: send an API key.", "string"),
  Location: header("The path of the order's record.", "string"),
  "Idempotent-Replayed": header(
    "true when this response repeats the first one for the same idempotencyKey.",
    "string",
  ),
  Link: header('The next page, as <path>; rel="next". Absent on the last page.', "string"),
  ETag: header(
    "Names this response. Send it as If-None-Match with the next request: 304 without a body says that nothing changed.",
    "string",
  ),
  Allow: header("The methods of this path.", "string"),
  "Retry-After": header("Seconds to wait before the next request.", "integer"),
  "RateLimit-Policy": header(
    'The key\'s limit: "reads";q=200;w=4 is 200 requests at once, refilled within 4 seconds.',
    "string",
  ),
  RateLimit: header(
    'What is left of it: "reads";r=150;t=1 is 150 requests, and all 200 in 1 second.',
    "string",
  ),
  Age: header(
    "On live accounts, how many seconds ago Polymarket said what the response shows. It grows while Polymarket doesn't answer.",
    "integer",
  ),
  Vary: header("Accept-Encoding, on responses that are long enough to compress.", "string"),
  "Content-Encoding": header("gzip when the response is compressed.", "string"),
} as const;

type HeaderName = keyof typeof HEADERS;

/** Whether responses of an operation carry an ETag: reads of an account do. */
const isTagged = ({ method, access, isStream }: Operation) =>
  method === "GET" && access !== "open" && !isStream;

function header(description: string, type: "string" | "integer"): Json {
  return { description, schema: { type } };
}

function listHeaders(id: OperationId, status: number): Json {
  const operation: Operation = OPERATIONS[id];
  const names: HeaderName[] = [
    "X-Request-Id",
    "Cache-Control",
    "X-Content-Type-Options",
    "Content-Security-Policy",
    "Cross-Origin-Resource-Policy",
  ];
  if (id === "placeOrder" && status === 200) names.push("Location");
  if (id === "placeOrder" && (status === 200 || status === 400)) names.push("Idempotent-Replayed");
  if (status === 200 && isTagged(operation)) names.push("ETag");
  if (status === 200 && "nextCursor" in operation.query.shape) names.push("Link");
  if (status === 401) names.push("WWW-Authenticate");
  if (status === 405) names.push("Allow");
  if (status === 429) names.push("Retry-After");
  if (status === 200 && operation.age) names.push("Age");
  if (status === 200) names.push("Vary", "Content-Encoding");
  if (operation.access !== "open") names.push("RateLimit-Policy", "RateLimit");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function buildParameters(
  schema: z.ZodType,
  place: "path" | "query",
  examples: Readonly<Record<string, string>>,
): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Json;
    const example = examples[name];
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      // A list is written with commas.
      ...(rest["type"] === "array" ? { style: "form", explode: false } : {}),
      ...(example === undefined ? {} : { example: parseExample(rest["type"], example) }),
    };
  });
}

function parseExample(type: unknown, written: string): number | string | string[] {
  if (type === "integer") return Number(written);
  return type === "array" ? written.split(",") : written;
}

function listRequestHeaders(id: OperationId): Json[] {
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "The same as idempotencyKey in the body. If both are given, they must be equal.",
    schema: { type: "string", minLength: 1, maxLength: 128 },
    example: "frost-0001",
  };
  const fault = {
    name: "X-Rehearse",
    in: "header",
    required: false,
    description: "Paper keys only: the fault to simulate.",
    schema: { enum: ["lost-answer", "timeout", "unavailable", "slow", "delayed"] },
    example: "timeout",
  };
  if (id === "placeOrder") return [key, fault];
  return id === "cancelOrder" || id === "cancelOrders" ? [fault] : [];
}
