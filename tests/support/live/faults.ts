// Faults of a venue, or of the network in front of it.
import type { Fault, FaultServer } from "@/tests/support/live/fault-server";

const html = () =>
  new Response("<!doctype html><title>Just a moment...</title>", {
    status: 200,
    headers: { "content-type": "text/html" },
  });
const error = (status: number, text: string, headers: Record<string, string> = {}) =>
  Response.json({ error: text }, { status, headers });

/** Longer than the timeout of an attempt in the tests. */
const LATE_MS = 1_300;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The request never reaches the venue. */
export const NOT_DELIVERED: Record<string, Fault> = {
  "the connection is lost on the way there": async (_, { drop }) => drop(),
  "a proxy returns 500 with HTML": async (_, { send }) =>
    send(new Response("<html>oops</html>", { status: 500 })),
  "a proxy returns 200 with HTML": async (_, { send }) => send(html()),
  "the engine restarts with an empty 425": async (_, { send }) =>
    send(new Response(null, { status: 425 })),
  "the limiter returns 429": async (_, { send }) =>
    send(error(429, "Too Many Requests", { "retry-after": "1" })),
  "a bare 429 comes from somewhere": async (_, { send }) => send(error(429, "Too Many Requests")),
  "the venue is disabled": async (_, { send }) =>
    send(error(503, "Trading is currently disabled. Check polymarket.com for updates")),
  "the venue takes cancels only": async (_, { send }) =>
    send(
      error(
        503,
        "Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.",
      ),
    ),
  "the venue refuses the credentials for a moment": async (_, { send }) =>
    send(error(401, "Unauthorized/Invalid api key")),
  "a gateway times out": async (_, { send }) => send(new Response("", { status: 504 })),
};

/** The venue executes the request, but its response does not show it. */
export const DELIVERED: Record<string, Fault> = {
  "the connection is lost on the way back": async (handle, { drop }) => {
    await handle();
    drop();
  },
  "the response comes too late": async (handle, { send }) => {
    const response = await handle();
    await later(LATE_MS);
    await send(response);
  },
  "the response is 500": async (handle, { send }) => {
    await handle();
    await send(error(500, "could not insert order"));
  },
  "the response is an internal timeout of the venue": async (handle, { send }) => {
    await handle();
    await send(error(500, "order timed out"));
  },
  "the response is 502 with HTML": async (handle, { send }) => {
    await handle();
    await send(new Response("<html>Bad gateway</html>", { status: 502 }));
  },
  "the response is 200 with HTML": async (handle, { send }) => {
    await handle();
    await send(html());
  },
  "the response is an empty 200": async (handle, { send }) => {
    await handle();
    await send(new Response("", { status: 200 }));
  },
  "the response is truncated JSON": async (handle, { send }) => {
    const text = await (await handle()).text();
    await send(new Response(text.slice(0, text.length / 2), { status: 200 }));
  },
  "the response names another order": async (handle, { send }) => {
    const body = (await (await handle()).json()) as Record<string, unknown>;
    await send(Response.json({ ...body, orderID: `0x${"ab".repeat(32)}` }));
  },
  "the response has an unknown status": async (handle, { send }) => {
    const body = (await (await handle()).json()) as Record<string, unknown>;
    await send(Response.json({ ...body, status: "unmatched" }));
  },
  "the request is delivered twice": async (handle, { send }) => {
    await handle();
    await send(await handle());
  },
  "the response is an empty 425": async (handle, { send }) => {
    await handle();
    await send(new Response(null, { status: 425 }));
  },
};

/** Delivers the request after its sender has timed out. */
const lateDelivery =
  (ms: number): Fault =>
  async (handle, { drop }) => {
    drop();
    await later(ms);
    await handle();
  };

/** The request arrives after its sender got an error or timed out. */
export const DELIVERED_LATE: Record<string, Fault> = {
  "the request arrives after its sender has timed out": lateDelivery(LATE_MS + 200),
  "a gateway fails a request that arrives later": async (handle, { send }) => {
    await send(new Response("<html>Bad gateway</html>", { status: 502 }));
    await later(LATE_MS + 200);
    await handle();
  },
};

/** Sends a list's page without its rows. */
export const sendEmptyPage: Fault = async (handle, { send }) => {
  const page = (await (await handle()).json()) as Record<string, unknown>;
  await send(Response.json({ ...page, data: [] }));
};

/** Makes the first `times` requests of a kind fail. */
export function failRequests(
  venue: FaultServer,
  method: string,
  path: string | RegExp,
  fault: Fault,
  times = Number.POSITIVE_INFINITY,
): void {
  let left = times;
  venue.fault = (call) => {
    const isMeant = typeof path === "string" ? call.path === path : path.test(call.path);
    if (call.method !== method || !isMeant || left === 0) return null;
    left -= 1;
    return fault;
  };
}
