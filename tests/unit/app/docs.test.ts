import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EXAMPLE_BODIES, EXAMPLE_QUERIES } from "@/app/docs/_lib/examples";
import { listChapters, listOperations, type ReferenceOperation } from "@/app/docs/_lib/reference";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { ERROR_STATUS } from "@/lib/errors";
import { ROUTES } from "@/lib/http/routes";
import { OPERATIONS } from "@/lib/schemas/operations";
import { PlaceOrderBody } from "@/lib/schemas/orders";

const operations = listOperations();
const withEnvelope = operations.filter(({ id }) => id !== "getOpenApi");
const named = (list: ReferenceOperation[]) =>
  list.map((operation) => [operation.id, operation] as const);

describe("the reference", () => {
  it("has every route of the interface, each in one chapter", () => {
    const shown = listChapters().flatMap((chapter) => chapter.operations.map(({ id }) => id));
    expect(shown.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  it.each(named(withEnvelope))("shows an answer of %s that its schema accepts", (id, operation) => {
    const { data } = z
      .object({ ok: z.literal(true), data: z.unknown() })
      .parse(operation.exampleAnswer);
    const { error } = OPERATIONS[id].response.safeParse(data);
    expect(error?.issues).toBeUndefined();
  });

  it.each(named(withEnvelope))(
    "names every field of the example answer of %s",
    (_id, operation) => {
      const { data } = z.object({ data: z.unknown() }).parse(operation.exampleAnswer);
      expect(operation.answer.map(({ name }) => name)).toEqual(
        expect.arrayContaining(pathsOf(data)),
      );
    },
  );

  it.each(named(operations))(
    "shows %s in three languages, without a real key",
    (_id, operation) => {
      expect(operation.examples.map(({ language }) => language)).toEqual([
        "curl",
        "JavaScript",
        "Python",
      ]);
      for (const { code } of operation.examples) {
        expect(code).toContain("http://127.0.0.1:3000/");
        expect(code).not.toMatch(/ante_(paper|live)_|\{\w+Id\}|undefined/);
        expect(code.includes("YOUR_API_KEY")).toBe(operation.access !== "open");
      }
    },
  );

  it.each(Object.entries(EXAMPLE_BODIES))("shows a body for %s that is accepted", (_id, body) => {
    expect(PlaceOrderBody.safeParse(body).error?.issues).toBeUndefined();
  });

  it.each(Object.entries(EXAMPLE_QUERIES))("shows a query for %s that is accepted", (id, query) => {
    const schema = Object.entries(OPERATIONS).find(([name]) => name === id)?.[1].query;
    expect(schema?.safeParse(query).error?.issues).toBeUndefined();
    expect(z.looseObject({}).parse(schema?.safeParse(query).data)).toMatchObject(
      Object.fromEntries(Object.keys(query).map((name) => [name, expect.anything()])),
    );
  });

  it("says the limits of the order's fields", () => {
    const body = operations.find(({ id }) => id === "placeOrder")?.body ?? [];
    const limits = Object.fromEntries(body.map((field) => [field.name, field.constraints]));
    expect(limits).toMatchObject({
      tokenId: "not empty",
      action: "one of BUY, SELL",
      orderType: "one of market, limit",
      amount: "greater than 0",
      price: "greater than 0; less than 1",
      idempotencyKey: "1 to 128 characters",
    });
  });
});

describe("the guide to errors", () => {
  it("explains every code that a caller can meet, and no other", () => {
    expect(Object.keys(ERROR_GUIDE).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  });
});

/** Paths of the properties of an example, as the tables write them. */
function pathsOf(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return pathsOf(value[0], prefix === "" ? "" : `${prefix}[]`);
  if (typeof value !== "object" || value === null)
    return prefix === "" ? [] : [prefix.replace(/\[\]$/, "")];
  const below = Object.entries(value).flatMap(([name, property]) =>
    pathsOf(property, prefix === "" ? name : `${prefix}.${name}`),
  );
  return below.length > 0 ? below : [prefix];
}
