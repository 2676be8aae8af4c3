import { expect, it } from "vitest";
import { formatCurl } from "@/lib/domain/curl";

const ORIGIN = "http://127.0.0.1:3000";

it("a GET request takes the key from the environment", () => {
  expect(formatCurl({ method: "GET", url: `${ORIGIN}/v1/positions` })).toBe(
    `curl -H "Authorization: Bearer $ANTE_API_KEY" '${ORIGIN}/v1/positions'`,
  );
});

it("a write request names its method and has its body", () => {
  expect(formatCurl({ method: "DELETE", url: `${ORIGIN}/v1/orders` })).toContain("-X DELETE");
  expect(formatCurl({ method: "POST", url: `${ORIGIN}/v1/orders` })).toContain("-X POST");
  const body = `{"idempotencyKey":"it's"}`;
  expect(formatCurl({ method: "POST", url: `${ORIGIN}/v1/orders`, body })).toBe(
    `curl -H "Authorization: Bearer $ANTE_API_KEY" -H "Content-Type: application/json" ` +
      `-d '{"idempotencyKey":"it'\\''s"}' '${ORIGIN}/v1/orders'`,
  );
});

it("a path can't break out of its quotes", () => {
  const line = formatCurl({ method: "GET", url: `${ORIGIN}/v1/orders/';rm -rf ~;'` });
  expect(line.split("'")).toHaveLength(3);
});
