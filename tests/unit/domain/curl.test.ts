import { expect, it } from "vitest";
import { formatCurl } from "@/lib/domain/curl";

const ORIGIN = "http://127.0.0.1:3000";

it("a GET request takes the key from the environment", () => {
  expect(formatCurl({ method: "GET", url: `${ORIGIN}/v1/positions` })).toBe(
    `curl -H "Authorization: Bearer $ANTE_API_KEY" '${ORIGIN}/v1/positions'`,
  );
});

it("a write request names its method and takes the body from a file", () => {
  expect(formatCurl({ method: "DELETE", url: `${ORIGIN}/v1/orders` })).toContain("-X DELETE");
  expect(formatCurl({ method: "POST", url: `${ORIGIN}/v1/orders` })).toContain("-d @body.json");
});

it("a path can't break out of its quotes", () => {
  const line = formatCurl({ method: "GET", url: `${ORIGIN}/v1/orders/';rm -rf ~;'` });
  expect(line.split("'")).toHaveLength(3);
});
