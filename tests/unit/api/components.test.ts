import { expect, it, vi } from "vitest";

it("a second bundle with the same schemas does not change the OpenAPI document", async () => {
  const first = await import("@/lib/api/openapi");
  vi.resetModules();
  const second = await import("@/lib/schemas/orders");
  expect(second.OrderSummary).toBeDefined();
  const { paths, components } = JSON.parse(first.openApiText()) as Record<string, object>;
  expect(Object.keys(paths ?? {}).length).toBeGreaterThan(10);
  expect(components).toHaveProperty(["schemas", "OrderSummary", "properties", "status"]);
  expect(components).toHaveProperty(["schemas", "AccountEvent"]);
});
