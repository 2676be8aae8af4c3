import { expect, it } from "vitest";
import { curlLine } from "@/lib/domain/curl";

const ORIGIN = "http://127.0.0.1:3000";

it("a read is a plain line with the key from the environment", () => {
  expect(curlLine({ method: "GET", url: `${ORIGIN}/v1/positions` })).toBe(
    `curl -H "Authorization: Bearer $ANTE_API_KEY" '${ORIGIN}/v1/positions'`,
  );
});

it("a write names its method, and takes a body from a file", () => {
  expect(curlLine({ method: "DELETE", url: `${ORIGIN}/v1/orders` })).toContain("-X DELETE");
  expect(curlLine({ method: "POST", url: `${ORIGIN}/v1/orders` })).toContain("-d @body.json");
});

it("a path cannot end the quotes that it stands in", () => {
  const line = curlLine({ method: "GET", url: `${ORIGIN}/v1/orders/';rm -rf ~;'` });
  expect(line.split("'")).toHaveLength(3);
});
