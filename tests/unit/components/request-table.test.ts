import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RequestTable } from "@/components/keys/request-table";

it("requests of the same minute differ in their visible times", () => {
  const request = {
    method: "GET",
    path: "/v1/orders",
    status: 200,
    errorCode: null,
    message: null,
    durationMs: 3,
    keyId: "key_1",
    body: null,
    orderId: null,
    hasBody: false,
    takesQuery: false,
  };
  const requests = ["11", "12"].map((second) => ({
    ...request,
    id: `req_${second}`,
    createdAt: `2026-11-25T09:32:${second}.000Z`,
  }));
  const table = createElement(RequestTable, {
    requests,
    keyNames: {},
    origin: "http://127.0.0.1",
  });
  const times = [...renderToStaticMarkup(table).matchAll(/<time[^>]*>([^<]+)<\/time>/g)].map(
    ([, text]) => text,
  );
  expect(times).toHaveLength(4);
  expect(new Set(times).size).toBe(2);
});
