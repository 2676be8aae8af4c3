import { expect, it } from "vitest";
import { createRouter } from "@/lib/api/router";
import { throughRouter } from "@/tests/support/api/call-api";

const ask = (path: string, method = "GET") =>
  throughRouter(createRouter([]), new Request(`http://ante.test${path}`, { method }));

it.each(["/v1/orders/%", "/v1/orders/%ff", "/v1/orders/%e0%a4%a", "/%"])(
  "returns MALFORMED_URL for %s, which cannot be decoded",
  async (path) => {
    const answer = await ask(path);
    expect(answer?.status).toBe(400);
    expect(await answer?.json()).toMatchObject({ ok: false, error: { code: "MALFORMED_URL" } });
  },
);

it("returns the refusals of the gate, and null for pages", async () => {
  expect((await ask("/v1/orders"))?.status).toBe(401);
  expect((await ask("/health", "POST"))?.status).toBe(405);
  expect(await ask("/sign-in")).toBeNull();
});
