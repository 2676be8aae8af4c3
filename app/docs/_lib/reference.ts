import "server-only";
import { z } from "zod";
import { buildCodeExamples, describeOwnIds } from "@/app/docs/_lib/examples";
import {
  type Components,
  describeConstraints,
  getItems,
  JsonSchema,
  getSchemaName,
  resolve,
  describeType,
} from "@/lib/api/operations/json-schema";
import type { FieldDoc, OperationDoc } from "@/components/docs/operation-doc";
import type { Operation as KnownOperation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";
import { openApiText } from "@/lib/api/openapi";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { ERROR_STATUS } from "@/lib/errors";
import { OPERATION_GROUPS, type OperationGroup } from "@/lib/domain/operation-groups";

/** An operation with its group. */
export type ReferenceOperation = OperationDoc & { id: OperationId; group: string };

/** A group with its page and operations. */
export type ReferenceGroup = OperationGroup & {
  href: `/docs/${OperationGroup["slug"]}`;
  operations: readonly ReferenceOperation[];
};

const Content = z.object({
  "application/json": z.object({ schema: JsonSchema, example: z.unknown().optional() }),
});
const StreamContent = z.object({
  "text/event-stream": z.object({ schema: JsonSchema, example: z.string() }),
});
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
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), content: z.union([Content, StreamContent]) }),
  ),
});
const OpenApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), JsonSchema) }),
});

let operations: ReferenceOperation[] | undefined;

/** Returns the operations of the OpenAPI document. Built once. */
export function listOperations(): ReferenceOperation[] {
  operations ??= readOperations();
  return operations;
}

/** Returns the groups with their operations. */
export function listGroups(): ReferenceGroup[] {
  return OPERATION_GROUPS.map((group) => ({
    ...group,
    href: `/docs/${group.slug}`,
    operations: listOperations().filter((operation) => operation.group === group.name),
  }));
}

function readOperations(): ReferenceOperation[] {
  const { paths, components } = OpenApi.parse(JSON.parse(openApiText()));
  const documented = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation] as const);
  const byId = new Map(documented);
  return Object.keys(OPERATIONS).map((id) => {
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
  const known: KnownOperation = OPERATIONS[id];
  const { summary, description, tags, parameters, requestBody, responses } = operation;
  const content = responses["200"]?.content;
  const success = content && Object.values(content)[0];
  const answer = success?.schema ?? {};
  return {
    id,
    method: known.method,
    path: known.path,
    group: tags[0],
    title: known.title,
    summary,
    description,
    access: known.access,
    parameters: parameters.map(({ name, in: place, required, description: text = "", schema }) => ({
      name,
      place,
      type: describeType(schema),
      isRequired: required,
      constraints: schema.pattern && !schema.format ? "" : describeConstraints(schema),
      description: text,
    })),
    body: requestBody
      ? listFields(requestBody.content["application/json"].schema, components, "")
      : null,
    answer: listFields(answer.properties?.["data"] ?? {}, components, ""),
    exampleResponse: success?.example,
    failures: Object.entries(responses)
      .filter(([status]) => status !== "200")
      .map(([status, response]) => ({
        ...toFailure(status, response.description),
        codes: known.errors.filter((code) => String(ERROR_STATUS[code]) === status),
      })),
    exampleFailure: writeFailure(known),
    examples: buildCodeExamples(known),
    ownIds: describeOwnIds(known),
  };
}

function toFailure(status: string, description: string) {
  const [name = ""] = description.split(":");
  return { status, name };
}

/** The first failure of its own that a caller has to handle, otherwise that of every public or other operation. */
function writeFailure({ access, errors }: KnownOperation) {
  const code = errors[0] ?? (access === "open" ? "MALFORMED_URL" : "INSUFFICIENT_SCOPE");
  const error = { code, message: ERROR_GUIDE[code].meaning };
  return { status: String(ERROR_STATUS[code]), body: { ok: false, error } };
}

/** Lists the properties of an object and of its nested objects, with their paths. */
function listFields(schema: JsonSchema, components: Components, prefix: string): FieldDoc[] {
  const shown = resolve(schema, components);
  // Of several kinds, the first is listed, which the example is of.
  const [kind] = shown.oneOf ?? [];
  const { properties = {}, required = [] } = kind ? resolve(kind, components) : shown;
  return Object.entries(properties).flatMap(([name, property]) => {
    const shape = resolve(property, components);
    const item = getItems(shape);
    const path = `${prefix}${name}`;
    const below = item
      ? listFields(item, components, `${path}[].`)
      : listFields(shape, components, `${path}.`);
    const field: FieldDoc = {
      name: path,
      place: null,
      type: item ? `array of ${getSchemaName(item) ?? describeType(item)}` : describeType(shape),
      isRequired: required.includes(name),
      constraints: describeConstraints(shape),
      description: property.description ?? shape.description ?? "",
    };
    return [field, ...below];
  });
}
