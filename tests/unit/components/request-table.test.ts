import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RequestTable } from "@/components/keys/request-table";

const REQUEST = {
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
} as const;

type Run = ComponentProps<typeof RequestTable>["runs"][number];

const BASE = "/keys?tab=requests";

const renderRuns = (runs: readonly Run[]) =>
  renderToStaticMarkup(
    createElement(RequestTable, { runs, base: BASE, keyNames: {}, origin: "http://127.0.0.1" }),
  );

const toRun = (request: Run["newest"]): Run => ({
  newest: request,
  count: 1,
  oldestId: request.id,
  firstAt: request.createdAt,
  fastestMs: request.durationMs,
  slowestMs: request.durationMs,
  key: "a.b",
});

const render = (requests: readonly Run["newest"][]) => renderRuns(requests.map(toRun));

it("requests of the same minute differ in their visible times", () => {
  const requests = ["11", "12"].map((second) => ({
    ...REQUEST,
    id: `req_${second}`,
    createdAt: `2026-11-25T09:32:${second}.000Z`,
  }));
  const times = [...render(requests).matchAll(/<time[^>]*>([^<]+)<\/time>/g)].map(
    ([, text]) => text,
  );
  expect(times).toHaveLength(4);
  expect(new Set(times).size).toBe(2);
});

it.each([
  ["/v1/orders/ord_01M8C91VS7FTJEH64674D92E35", "/v1/orders/ord_…4D92E35"],
  ["/v1/markets/will-it-snow-in-larchmoor-by-6-december", null],
  ["/v1/orders/ord_unknown", null],
])("the screen shows %s with at most the end of a long id, paper the whole path", (path, short) => {
  const at = { id: "req_1", createdAt: "2026-11-25T09:32:11.000Z" };
  const markup = render([{ ...REQUEST, ...at, path }]);
  // In the table and on its card. A narrow screen breaks it before a slash.
  const onScreen = (short ?? path).replaceAll("/", "<wbr/>/");
  expect(markup.split(`<span class="print:hidden">${onScreen}</span>`)).toHaveLength(3);
  expect(markup.split(`<span class="hidden print:inline">${path}</span>`)).toHaveLength(3);
});

it("says once that queries aren’t stored, and only where a request can have one", () => {
  const at = "2026-11-25T09:32:11.000Z";
  const requests = (takesQuery: boolean) =>
    ["req_1", "req_2"].map((id) => ({ ...REQUEST, id, createdAt: at, takesQuery }));
  expect(render(requests(true)).match(/stored/g)).toHaveLength(1);
  expect(render(requests(false))).not.toContain("stored");
});

it("a run shows its count, times and latencies, and leads to its requests; a request alone to its page", () => {
  const newest = { ...REQUEST, id: "req_9", createdAt: "2026-11-25T09:35:40.000Z" };
  const run = { ...toRun(newest), count: 1_200, firstAt: "2026-11-25T09:32:11.004Z", fastestMs: 2 };
  const markup = renderRuns([run]);
  const text = markup.replaceAll(/<[^>]+>/g, "");
  expect(text).toContain("25 Nov 2026, 09:32:11 – 09:35:40");
  expect(text).toContain("2–3 ms");
  expect(text).toContain("×1,200");
  expect(markup).toContain('title="2026-11-25T09:32:11.004Z"');
  expect(markup.match(/href="[^"]*run=a\.b"/g)).toHaveLength(4);
  expect(markup).not.toContain("/keys/requests/");
  expect(render([newest])).toContain('href="/keys/requests/req_9"');
});
