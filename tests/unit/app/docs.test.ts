import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listGroups, listOperations, type ReferenceOperation } from "@/app/docs/_lib/reference";
import { VERIFY_IN_JAVASCRIPT, writeReceived } from "@/app/docs/_lib/receivers";
import { searchDocs } from "@/app/docs/_lib/search";
import { DOCS_PAGES } from "@/components/docs/pages";
import { SECTIONS } from "@/components/docs/sections";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { ERROR_STATUS } from "@/lib/errors";
import type { Operation } from "@/lib/api/operations/operation";
import { OPERATIONS } from "@/lib/api/operations";
import { SAMPLE_SECRET } from "@/lib/api/operations/examples";
import { ACCOUNT_EVENT_TYPES } from "@/lib/domain/account-events";
import { AccountEvent, listDataFields } from "@/lib/schemas/events";
import { createSecret, signMessage } from "@/lib/webhooks/sign";
import { PRODUCT } from "@/tests/architecture/source";

const known = Object.entries<Operation>(OPERATIONS);
const operations = listOperations();
const findFirst = (query: string) => searchDocs(query)[0]?.href;
const WITHOUT_ENVELOPE = ["getOpenApi", "getAsyncApi", "streamEvents"];
const withEnvelope = operations.filter(({ id }) => !WITHOUT_ENVELOPE.includes(id));
const named = (list: ReferenceOperation[]) =>
  list.map((operation) => [operation.id, operation] as const);

describe("the reference", () => {
  it("has every route of the API, each in one group", () => {
    const shown = listGroups().flatMap((group) => group.operations.map(({ id }) => id));
    expect(shown.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  });

  it("has a page for every group, and product links lead to operations and sections it has", () => {
    const pages: readonly string[] = DOCS_PAGES.map(({ href }) => href);
    expect(pages).toEqual(expect.arrayContaining(listGroups().map(({ href }) => href)));
    const addresses = [
      ...listGroups().flatMap((group) => group.operations.map(({ id }) => `${group.href}#${id}`)),
      ...Object.entries(SECTIONS).flatMap(([href, list]) => list.map(({ id }) => `${href}#${id}`)),
    ];
    const links = PRODUCT.flatMap(({ text }) => text.match(/(?<=")\/docs[\w/-]*#\w+(?=")/g) ?? []);
    expect(links).toContain("/docs/webhooks#createWebhook");
    expect(addresses).toEqual(expect.arrayContaining(links));
  });

  it.each(named(withEnvelope))(
    "shows a response of %s that its schema accepts",
    (id, operation) => {
      const { data } = z
        .object({ ok: z.literal(true), data: z.unknown() })
        .parse(operation.exampleResponse);
      const { error } = OPERATIONS[id].response.safeParse(data);
      expect(error?.issues).toBeUndefined();
    },
  );

  it.each(named(withEnvelope))(
    "lists every field of the example response of %s",
    (_id, operation) => {
      const { data } = z.object({ data: z.unknown() }).parse(operation.exampleResponse);
      expect(operation.answer.map(({ name }) => name)).toEqual(
        expect.arrayContaining(listPaths(data)),
      );
    },
  );

  it("shows an event of the stream that the schema of events accepts", () => {
    const shown = operations.find(({ id }) => id === "streamEvents")?.exampleResponse;
    const [id, type, data = ""] = z.string().parse(shown).split("\n");
    const event = AccountEvent.parse(JSON.parse(data.replace("data: ", "")));
    expect([id, type]).toEqual([`id: ${event.seq}`, `event: ${event.type}`]);
  });

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
        expect(code.includes("ANTE_API_KEY")).toBe(operation.access !== "open");
      }
    },
  );

  it.each(
    known.flatMap(([id, { exampleBodies = {}, body: accepted }]) =>
      Object.entries(exampleBodies).map(([name, body]) => [name, id, accepted, body] as const),
    ),
  )("shows a %s for %s that the schema accepts", (_name, _id, accepted, body) => {
    expect(accepted?.safeParse(body)).toMatchObject({ success: true });
  });

  const withQuery = known.filter(([, { exampleQuery }]) => exampleQuery !== undefined);

  it.each(withQuery)(
    "shows a query for %s that the schema accepts",
    (_id, { query: schema, exampleQuery }) => {
      expect(schema.safeParse(exampleQuery).error?.issues).toBeUndefined();
      expect(z.looseObject({}).parse(schema.safeParse(exampleQuery).data)).toMatchObject(
        Object.fromEntries(
          Object.keys(exampleQuery ?? {}).map((name) => [name, expect.anything()]),
        ),
      );
    },
  );

  it.each(named(operations))("shows a failure of %s and its own codes", (id, operation) => {
    const { status, body } = operation.exampleFailure;
    const { error } = z
      .object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) })
      .parse(body);
    expect(ERROR_STATUS).toHaveProperty(error.code, Number(status));
    const shown = operation.failures.flatMap(({ codes }) => codes);
    expect(shown.toSorted()).toEqual([...OPERATIONS[id].errors].toSorted());
  });

  it("states the limits of the order's fields", () => {
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

describe("the example market", () => {
  const Priced = z.object({
    tokenId: z.string(),
    price: z.number(),
    bestBid: z.number(),
    bestAsk: z.number(),
  });
  const Shown = z.object({
    data: z.object({ iconUrl: z.string(), slug: z.string(), outcomes: z.tuple([Priced, Priced]) }),
  });
  const read = (id: string) => operations.find((operation) => operation.id === id)?.exampleResponse;
  const market = Shown.parse(read("getMarket")).data;

  it("has prices that add up to 1 and lie between bid and ask", () => {
    const [yes, no] = market.outcomes;
    expect(yes.price + no.price).toBeCloseTo(1, 9);
    for (const { price, bestBid, bestAsk } of [yes, no]) {
      expect((bestBid + bestAsk) / 2).toBeCloseTo(price, 9);
    }
  });

  it("has an icon of this server that exists", () => {
    const { origin, pathname } = new URL(market.iconUrl);
    expect(origin).toBe("http://127.0.0.1:3000");
    expect(readFileSync("lib/exchange/catalogue/weather.json", "utf8")).toContain(
      pathname.replace("/icons/", "").replace(".svg", ""),
    );
  });

  it("owns the token of every other example", () => {
    const tokens = JSON.stringify(operations).match(/"(tokenId|assetId|positionId)":"\d+"/g) ?? [];
    const own = market.outcomes.map(({ tokenId }) => tokenId);
    expect(tokens.length).toBeGreaterThan(10);
    for (const token of tokens) expect(own).toContain(token.split('"')[3]);
  });

  it("was traded at a fee of its rate, and the account adds up", () => {
    const data = (id: string) => z.object({ data: z.looseObject({}) }).parse(read(id)).data;
    const { balanceUsdc } = data("getBalance");
    const { portfolioValue, totalPnl, realizedPnl, unrealizedPnl, fees } = data("listPositions");
    expect(fees).toBe(Math.floor(100 * 0.05 * 0.61 * 0.39 * 1e5) / 1e5);
    expect(balanceUsdc).toBeCloseTo(10_000 - 61 - Number(fees), 6);
    expect(portfolioValue).toBeCloseTo(Number(balanceUsdc) + 62, 6);
    expect(totalPnl).toBeCloseTo(Number(realizedPnl) + Number(unrealizedPnl) - Number(fees), 6);
  });
});

describe("the tables of contents", () => {
  it("list the chapters of their pages, in order", () => {
    for (const [href, sections] of Object.entries(SECTIONS)) {
      if (sections.length === 0) continue;
      const source = readFileSync(`app${href}/page.tsx`, "utf8");
      const chapters = [...source.matchAll(/<Chapter\s+id="([\w-]+)"/g)].map(([, id]) => id);
      const ids: string[] = sections.map(({ id }) => id).filter((id) => id !== "operations");
      expect(new Set(ids), href).toEqual(new Set(chapters));
    }
  });
});

describe("the guide to webhooks", () => {
  const runReceiver = (headers: Record<string, string>, body: string) => {
    const call = `console.log(isFromAnte(...${JSON.stringify([headers, body, SAMPLE_SECRET])}));`;
    const code = `${VERIFY_IN_JAVASCRIPT}\n${call}`;
    return execFileSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
    });
  };
  const id = "msg_1";
  const body = '{"type":"order.filled"}';

  it("has a receiver that accepts a message by one of two secrets", () => {
    const secrets = [createSecret(), SAMPLE_SECRET];
    const headers = signMessage({ id, timestamp: new Date(), body }, secrets);
    expect(runReceiver(headers, body)).toBe("true\n");
  });

  it("has a receiver that rejects a changed body, another secret and an old message", () => {
    const headers = signMessage({ id, timestamp: new Date(), body }, [SAMPLE_SECRET]);
    expect(runReceiver(headers, `${body} `)).toBe("false\n");
    const foreign = signMessage({ id, timestamp: new Date(), body }, [createSecret()]);
    expect(runReceiver(foreign, body)).toBe("false\n");
    const timestamp = new Date(Date.now() - 301_000);
    expect(runReceiver(signMessage({ id, timestamp, body }, [SAMPLE_SECRET]), body)).toBe(
      "false\n",
    );
  });

  it("shows a message that is signed with the secret of the examples", () => {
    const [head = "", shown = ""] = writeReceived().split("\n\n");
    const headers = new Map(head.split("\n").map((line) => line.split(": ") as [string, string]));
    const [messageId = "", seconds = ""] = ["webhook-id", "webhook-timestamp"].map((name) =>
      headers.get(name),
    );
    const message = { id: messageId, timestamp: new Date(Number(seconds) * 1_000), body: shown };
    const expected = signMessage(message, [SAMPLE_SECRET])["webhook-signature"];
    expect(headers.get("webhook-signature")).toBe(expected);
    expect(AccountEvent.safeParse(JSON.parse(shown)).error?.issues).toBeUndefined();
  });

  it("is found by the names of the headers", () => {
    expect(findFirst("webhook-signature")).toBe("/docs/receiving-webhooks#verify");
    expect(findFirst("signature")).toBe("/docs/receiving-webhooks#verify");
  });
});

describe("the table of event types", () => {
  it("has the fields of each type's data", () => {
    expect(listDataFields("order.filled")).toEqual(["order", "detail"]);
    expect(listDataFields("venue.degraded")).toEqual([]);
    for (const type of ACCOUNT_EVENT_TYPES.filter((name) => !name.startsWith("venue.")))
      expect(listDataFields(type), type).not.toEqual([]);
  });
});

describe("the search", () => {
  it("puts hits in names first, and takes words in any case and order", () => {
    expect(findFirst("Cancel all orders")).toBe("/docs/orders#cancelOrders");
    expect(findFirst("orders ALL cancel")).toBe("/docs/orders#cancelOrders");
    expect(findFirst("idempotency keys")).toBe("/docs/retries#cases");
    expect(findFirst("ORDER_TOO_SMALL")).toBe("/docs/errors#ORDER_TOO_SMALL");
  });

  it("finds an operation by a field, and nothing without a word", () => {
    expect(searchDocs("funderAddress").map(({ href }) => href)).toContain(
      "/docs/account#getBalance",
    );
    for (const query of ["", " ", "*", "cancel xyzzy"]) expect(searchDocs(query)).toEqual([]);
  });
});

describe("the guide to errors", () => {
  it("explains every public error code, and no other", () => {
    expect(Object.keys(ERROR_GUIDE).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  });
});

/** Returns the property paths of an example, as in the tables. */
function listPaths(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return listPaths(value[0], prefix === "" ? "" : `${prefix}[]`);
  if (typeof value !== "object" || value === null)
    return prefix === "" ? [] : [prefix.replace(/\[\]$/, "")];
  const below = Object.entries(value).flatMap(([name, property]) =>
    listPaths(property, prefix === "" ? name : `${prefix}.${name}`),
  );
  return below.length > 0 ? below : [prefix];
}
