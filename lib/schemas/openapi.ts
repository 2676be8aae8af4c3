import { z } from "zod";
import { ERROR_STATUS } from "@/lib/errors";
import { type OperationId, type RouteSpec, ROUTES } from "@/lib/http/routes";
import { Failure } from "@/lib/schemas/envelope";
import { OPERATION_NOTES } from "@/lib/schemas/operation-notes";
import { OPERATIONS } from "@/lib/schemas/operations";

type Json = Record<string, unknown>;

const FAILURES = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  502: "Upstream Error",
} as const;

let text: string | undefined;

/** The OpenAPI 3.1 document, as JSON text. It is built once, from the schemas that validate. */
export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}

function openApiDocument(): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Ante: betting account service",
      version: "1.0.0",
      description:
        "Trade prediction markets with an API key. Every answer is an envelope: " +
        "{ ok: true, data } or { ok: false, error: { code, message } }.",
    },
    paths: paths(),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: componentSchemas(),
    },
  };
}

function paths(): Json {
  const document: Record<string, Json> = {};
  for (const [id, spec] of Object.entries(ROUTES)) {
    const item = (document[spec.path] ??= {});
    item[spec.method.toLowerCase()] = operation(id as OperationId, spec);
  }
  return document;
}

function operation(id: OperationId, spec: RouteSpec): Json {
  const { summary, params, query, body, response } = OPERATIONS[id];
  const { group, description } = OPERATION_NOTES[id];
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    security: spec.access === "open" ? [] : [{ bearer: [] }],
    parameters: [...parameters(params, "path"), ...parameters(query, "query"), ...rehearsal(id)],
    ...(body === null ? {} : { requestBody: { required: true, content: json(reference(body)) } }),
    responses: { 200: success(id, response), ...failures() },
    ...(spec.access === "open" || spec.access === "key" ? {} : { "x-scope": spec.access }),
  };
}

/** The document itself comes without the envelope, so that tools can read it. */
function success(id: OperationId, response: z.ZodType): Json {
  const data = reference(response);
  const schema =
    id === "getOpenApi"
      ? { type: "object" }
      : {
          type: "object",
          properties: { ok: { const: true }, data },
          required: ["ok", "data"],
          additionalProperties: false,
        };
  return { description: "OK", content: json(schema) };
}

function failures(): Json {
  const entries = Object.entries(FAILURES).map(([status, name]) => {
    const codes = Object.entries(ERROR_STATUS)
      .filter(([, of]) => of === Number(status))
      .map(([code]) => code);
    const description = `${name}: ${codes.join(", ")}`;
    return [status, { description, content: json(reference(Failure)) }];
  });
  return Object.fromEntries(entries) as Json;
}

function parameters(schema: z.ZodType, place: "path" | "query"): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Json;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function rehearsal(id: OperationId): Json[] {
  if (id !== "placeOrder" && id !== "cancelOrder") return [];
  return [
    {
      name: "X-Rehearse",
      in: "header",
      required: false,
      description: "paper keys only: the failure to rehearse",
      schema: { enum: ["lost-answer", "timeout", "unavailable", "slow", "delayed"] },
    },
  ];
}

/** A pointer to a named schema; every body and response has a name. */
function reference(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  return id === undefined
    ? z.toJSONSchema(schema, { io: "input" })
    : { $ref: `#/components/schemas/${id}` };
}

function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _dialect, $id: _uri, ...rest } = schema as Json;
      return [id, rest];
    }),
  );
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}
