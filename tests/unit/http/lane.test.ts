import { expect, it } from "vitest";
import { createLane } from "@/lib/http/lane";
import { throughLane } from "@/tests/support/api";

const ask = (path: string, method = "GET") =>
  throughLane(createLane([]), new Request(`http://ante.test${path}`, { method }));

it.each(["/v1/orders/%", "/v1/orders/%ff", "/v1/orders/%e0%a4%a", "/%"])(
  "%s cannot be decoded, which is what its refusal says",
  async (path) => {
    const answer = await ask(path);
    expect(answer?.status).toBe(400);
    expect(await answer?.json()).toMatchObject({ ok: false, error: { code: "MALFORMED_URL" } });
  },
);

it("refuses what the gate refuses, and leaves what is not for the interface", async () => {
  expect((await ask("/v1/orders"))?.status).toBe(401);
  expect((await ask("/health", "POST"))?.status).toBe(405);
  expect(await ask("/sign-in")).toBeNull();
});
