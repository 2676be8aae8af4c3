import {
  AuthenticationError,
  type JournalEntry,
  LimitError,
  memoryJournal,
  OutcomeUnknown,
} from "@ante/client";
import { describe, expect, it } from "vitest";
import {
  acknowledge,
  failure,
  scriptService,
  type Scripted,
  success,
} from "@/tests/support/client/scripted-service";

const ORDER = { tokenId: "1", action: "BUY", orderType: "market", amount: "5" } as const;
const CUT = new TypeError("fetch failed");
const html = (status: number) => new Response("<html>Bad gateway</html>", { status });
const keysOf = (sent: readonly { body: string }[]) => [
  ...new Set(
    sent.map(({ body }) => (JSON.parse(body) as { idempotencyKey: string }).idempotencyKey),
  ),
];

describe("placing an order", () => {
  it("writes the key to the journal before the first attempt", async () => {
    const steps: string[] = [];
    const journal = {
      begin: async (entry: JournalEntry) => {
        await Promise.resolve();
        steps.push(`begin ${entry.idempotencyKey} ${String(entry.body["amount"])}`);
      },
      settle: (key: string, { status }: { status: string }) => void steps.push(`${status} ${key}`),
    };
    const { ante, sent } = scriptService(
      [(request) => (steps.push("attempt"), acknowledge(request))],
      { journal },
    );
    const { idempotencyKey } = await ante.orders.place(ORDER);
    expect(steps).toEqual([`begin ${idempotencyKey} 5`, "attempt", `accepted ${idempotencyKey}`]);
    expect(sent).toMatchObject([{ method: "POST", path: "/v1/orders" }]);
  });

  it("sends nothing if the journal fails", async () => {
    const begin = () => Promise.reject(new Error("disk full"));
    const { ante, sent } = scriptService([acknowledge], { journal: { begin, settle: () => {} } });
    await expect(ante.orders.place(ORDER)).rejects.toThrow("disk full");
    expect(sent).toEqual([]);
  });

  const UNKNOWN: [string, Scripted][] = [
    ["a broken connection", CUT],
    ["a proxy's page", html(502)],
    ["a page with status 200", html(200)],
    ["a page with status 404", html(404)],
    ["a redirect", new Response(null, { status: 307, headers: { location: "https://x.test/" } })],
    ["a cut body", new Response('{"ok":true,"data":{"idempo')],
    [
      "an envelope that contradicts its status",
      Response.json({ ok: true, data: {} }, { status: 502 }),
    ],
    ["an acknowledgement of another order", success({ idempotencyKey: "other" })],
    ["502", failure(502, "ORDER_OUTCOME_UNKNOWN")],
    ["500", failure(500, "SOMETHING_ELSE")],
    ["503", failure(503, "SOMETHING_ELSE")],
    ["409", failure(409, "IN_PROGRESS")],
    ["425", failure(425, "TOO_EARLY")],
    ["429", failure(429, "RATE_LIMITED", { "retry-after": "0" })],
  ];
  it.each(UNKNOWN)("repeats the same bytes after %s", async (_name, answer) => {
    const { ante, sent } = scriptService([answer, acknowledge]);
    await expect(ante.orders.place(ORDER)).resolves.toMatchObject({ orderId: "ord_1" });
    expect(sent.length).toBe(2);
    expect(sent[0]?.body).toBe(sent[1]?.body);
  });

  it("waits as long as Retry-After says", async () => {
    const { ante } = scriptService([
      failure(429, "RATE_LIMITED", { "retry-after": "1" }),
      acknowledge,
    ]);
    const startedAt = performance.now();
    await ante.orders.place(ORDER);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it.each([400, 401, 404, 405])("throws the refusal of a %i, which is final", async (status) => {
    const journal = memoryJournal();
    const { ante, sent } = scriptService([failure(status, "SOME_CODE")], { journal });
    await expect(ante.orders.place(ORDER)).rejects.toMatchObject({ code: "SOME_CODE", status });
    expect(sent.length).toBe(1);
    expect(journal.listUnsettled()).toEqual([]);
  });

  it("throws a typed error for keys and for limits", async () => {
    const { ante } = scriptService([
      failure(401, "API_KEY_REVOKED"),
      failure(400, "RISK_LIMIT_EXCEEDED"),
    ]);
    await expect(ante.orders.place(ORDER)).rejects.toBeInstanceOf(AuthenticationError);
    await expect(ante.orders.place(ORDER)).rejects.toBeInstanceOf(LimitError);
  });

  it("throws OutcomeUnknown with the key when the deadline passes, and keeps the entry", async () => {
    const journal = memoryJournal();
    const { ante, sent } = scriptService([CUT, CUT, CUT], {
      journal,
      firstPauseMs: 40,
      deadlineMs: 50,
    });
    const error = await ante.orders.place(ORDER).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    const { idempotencyKey } = error as OutcomeUnknown;
    expect(keysOf(sent)).toEqual([idempotencyKey]);
    expect(journal.listUnsettled()).toMatchObject([{ idempotencyKey, body: ORDER }]);
  });

  it("throws the rate limit's refusal if nothing else came back before the deadline", async () => {
    const journal = memoryJournal();
    const { ante } = scriptService([failure(429, "RATE_LIMITED", { "retry-after": "60" })], {
      journal,
      deadlineMs: 50,
    });
    await expect(ante.orders.place(ORDER)).rejects.toBeInstanceOf(LimitError);
    expect(journal.listUnsettled()).toEqual([]);
  });

  it.each([
    [401, "API_KEY_REVOKED"],
    [404, "ROUTE_NOT_FOUND"],
    [405, "METHOD_NOT_ALLOWED"],
  ])("takes a %i %s after a lost response for no proof", async (status, code) => {
    const journal = memoryJournal();
    const { ante, sent } = scriptService([CUT, failure(status, code)], { journal });
    await expect(ante.orders.place(ORDER)).rejects.toMatchObject({
      code: "OUTCOME_UNKNOWN",
      cause: { code },
    });
    expect(sent.length).toBe(2);
    expect(journal.listUnsettled().length).toBe(1);
  });

  it("takes a 400 after a lost response for a refusal, because it says what happened", async () => {
    const journal = memoryJournal();
    const { ante } = scriptService([CUT, failure(400, "INSUFFICIENT_BALANCE")], { journal });
    await expect(ante.orders.place(ORDER)).rejects.toMatchObject({ code: "INSUFFICIENT_BALANCE" });
    expect(journal.listUnsettled()).toEqual([]);
  });

  it("throws OutcomeUnknown if the caller aborts after an attempt, and the reason before one", async () => {
    const aborting = new AbortController();
    const { ante, sent } = scriptService([
      () => {
        aborting.abort(new Error("enough"));
        return new Promise<Response>(() => {});
      },
    ]);
    const { signal } = aborting;
    const placing = scriptService([
      () => {
        aborting.abort(new Error("enough"));
        throw CUT;
      },
    ]).ante.orders.place(ORDER, { signal });
    await expect(placing).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN", attempts: 1 });
    await expect(ante.orders.place(ORDER, { signal })).rejects.toThrow("enough");
    expect(sent).toEqual([]);
  });

  it("simulates a fault in the first attempt only", async () => {
    const { ante, sent } = scriptService([CUT, acknowledge]);
    await ante.orders.place(ORDER, { simulate: "lost-answer" });
    expect(sent.map(({ headers }) => headers.get("x-rehearse"))).toEqual(["lost-answer", null]);
  });

  it("refuses a number as an amount before anything is recorded", async () => {
    const journal = memoryJournal();
    const { ante, sent } = scriptService([acknowledge], { journal });
    const order = { ...ORDER, amount: 0.1 } as unknown as typeof ORDER;
    await expect(ante.orders.place(order)).rejects.toThrow(/amount must be decimal text/);
    expect([sent, journal.listUnsettled()]).toEqual([[], []]);
  });
});

describe("resuming", () => {
  it("repeats unsettled orders with their keys and settles them", async () => {
    const journal = memoryJournal();
    const first = scriptService([CUT], { journal, deadlineMs: 1 });
    await expect(first.ante.orders.place(ORDER)).rejects.toBeInstanceOf(OutcomeUnknown);
    const second = scriptService([acknowledge], { journal });
    await expect(second.ante.orders.resume()).resolves.toMatchObject([{ status: "accepted" }]);
    expect(second.sent[0]?.body).toBe(first.sent[0]?.body);
    expect(journal.listUnsettled()).toEqual([]);
  });

  it("takes a 401 for no proof, because the order may have been sent before", async () => {
    const journal = memoryJournal();
    const first = scriptService([CUT], { journal, deadlineMs: 1 });
    await expect(first.ante.orders.place(ORDER)).rejects.toBeInstanceOf(OutcomeUnknown);
    const second = scriptService([failure(401, "API_KEY_REVOKED")], { journal });
    await expect(second.ante.orders.resume()).resolves.toMatchObject([
      { status: "unknown", error: { code: "OUTCOME_UNKNOWN" } },
    ]);
    expect(journal.listUnsettled().length).toBe(1);
  });

  it("sends nothing with the key of another account", async () => {
    const journal = memoryJournal();
    const first = scriptService([CUT], { journal, deadlineMs: 1 });
    await expect(first.ante.orders.place(ORDER)).rejects.toBeInstanceOf(OutcomeUnknown);
    const other = scriptService([acknowledge], {
      journal,
      apiKey: `ante_paper_Other000${"a".repeat(38)}`,
    });
    await expect(other.ante.orders.resume()).resolves.toMatchObject([
      { status: "unknown", error: { code: "OTHER_KEY" } },
    ]);
    expect(other.sent).toEqual([]);
  });
});
