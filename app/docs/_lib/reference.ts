import "server-only";
import { z } from "zod";
import { codeExamples } from "@/app/docs/_lib/examples";
import {
  type Components,
  constraintsOf,
  itemsOf,
  JsonSchema,
  nameOf,
  resolve,
  typeOf,
} from "@/app/docs/_lib/json-schema";
import { sampleOf } from "@/app/docs/_lib/sample";
import type { FieldDoc, OperationDoc } from "@/components/docs/operation-doc";
import { type OperationId, type RouteSpec, ROUTES } from "@/lib/http/routes";
import { openApiText } from "@/lib/schemas/openapi";
import { OPERATION_GROUPS, OPERATION_NOTES } from "@/lib/schemas/operation-notes";

/** An operation with its place in the interface. */
export type ReferenceOperation = OperationDoc & { id: OperationId; group: string; title: string };

const Content = z.object({ "application/json": z.object({ schema: JsonSchema }) });
const Operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.string(),
      required: z.boolean(),
      description: z.string().optional(),
      schema: JsonSchema,
    }),
  ),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: Content })),
});
const OpenApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), JsonSchema) }),
});

let operations: ReferenceOperation[] | undefined;

/** Every operation of the OpenAPI document, chapter by chapter. Made once. */
export function listOperations(): ReferenceOperation[] {
  operations ??= readOperations();
  return operations;
}

/** The operations under their chapters. */
export function listChapters(): { group: string; operations: ReferenceOperation[] }[] {
  return OPERATION_GROUPS.map((group) => ({
    group,
    operations: listOperations().filter((operation) => operation.group === group),
  }));
}

function readOperations(): ReferenceOperation[] {
  const { paths, components } = OpenApi.parse(JSON.parse(openApiText()));
  const documented = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation] as const);
  const byId = new Map(documented);
  return Object.keys(OPERATION_NOTES).map((id) => {
    const operation = byId.get(id);
    if (!operation) throw new Error(`${id} is not in the document`);
    return toOperationDoc(id as OperationId, operation, components.schemas);
  });
}

function toOperationDoc(
  id: OperationId,
  operation: z.output<typeof Operation>,
  components: Components,
): ReferenceOperation {
  const route: RouteSpec = ROUTES[id];
  const { summary, description, tags, parameters, requestBody, responses } = operation;
  const answer = responses["200"]?.content["application/json"].schema ?? {};
  return {
    id,
    method: route.method,
    path: route.path,
    group: tags[0],
    title: OPERATION_NOTES[id].title,
    summary,
    description,
    access: route.access,
    parameters: parameters.map(({ name, in: place, required, description: text = "", schema }) => ({
      name,
      place,
      type: typeOf(schema),
      isRequired: required,
      constraints: schema.pattern && !schema.format ? "" : constraintsOf(schema),
      description: text,
    })),
    body: requestBody
      ? fieldsOf(requestBody.content["application/json"].schema, components, "")
      : null,
    answer: fieldsOf(answer.properties?.["data"] ?? {}, components, ""),
    exampleAnswer: id === "getOpenApi" ? { openapi: "3.1.0" } : sampleOf(answer, components),
    failures: Object.entries(responses)
      .filter(([status]) => status !== "200")
      .map(([status, response]) => toFailure(status, response.description)),
    examples: codeExamples(id, route),
  };
}

function toFailure(status: string, description: string) {
  const [name = ""] = description.split(": ");
  return { status, name };
}

/** The properties of an object and of what it holds, each with its path. */
function fieldsOf(schema: JsonSchema, components: Components, prefix: string): FieldDoc[] {
  const { properties = {}, required = [] } = resolve(schema, components);
  return Object.entries(properties).flatMap(([name, property]) => {
    const shape = resolve(property, components);
    const item = itemsOf(shape);
    const path = `${prefix}${name}`;
    const below = item
      ? fieldsOf(item, components, `${path}[].`)
      : fieldsOf(shape, components, `${path}.`);
    const field: FieldDoc = {
      name: path,
      place: null,
      type: item ? `array of ${nameOf(item) ?? typeOf(item)}` : typeOf(shape),
      isRequired: required.includes(name),
      constraints: constraintsOf(shape),
      description: property.description ?? shape.description ?? "",
    };
    return [field, ...below];
  });
}
