// Ways in which a venue, or the network in front of it, lies about a request.
import type { Fault, FaultServer } from "@/tests/support/fault-server";

const html = () =>
  new Response("<!doctype html><title>Just a moment...</title>", {
    status: 200,
    headers: { "content-type": "text/html" },
  });
const error = (status: number, text: string, headers: Record<string, string> = {}) =>
  Response.json({ error: text }, { status, headers });

/** Longer than an attempt may take in the tests. */
const LATE_MS = 1_300;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The request never reaches the venue. */
export const UNSEEN: Record<string, Fault> = {
  "the connection is lost on the way there": async (_, { drop }) => drop(),
  "a proxy answers 500 with HTML": async (_, { send }) =>
    send(new Response("<html>oops</html>", { status: 500 })),
  "a proxy answers 200 with HTML": async (_, { send }) => send(html()),
  "the engine restarts with an empty 425": async (_, { send }) =>
    send(new Response(null, { status: 425 })),
  "the limiter answers 429": async (_, { send }) =>
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

/** The venue takes the request, and its answer does not tell so. */
export const TAKEN: Record<string, Fault> = {
  "the connection is lost on the way back": async (handle, { drop }) => {
    await handle();
    drop();
  },
  "the answer comes too late": async (handle, { send }) => {
    const response = await handle();
    await later(LATE_MS);
    await send(response);
  },
  "the answer is 500": async (handle, { send }) => {
    await handle();
    await send(error(500, "could not insert order"));
  },
  "the answer is a timeout of the venue's own": async (handle, { send }) => {
    await handle();
    await send(error(500, "order timed out"));
  },
  "the answer is 502 with HTML": async (handle, { send }) => {
    await handle();
    await send(new Response("<html>Bad gateway</html>", { status: 502 }));
  },
  "the answer is 200 with HTML": async (handle, { send }) => {
    await handle();
    await send(html());
  },
  "the answer is 200 with nothing": async (handle, { send }) => {
    await handle();
    await send(new Response("", { status: 200 }));
  },
  "the answer is half of the JSON": async (handle, { send }) => {
    const text = await (await handle()).text();
    await send(new Response(text.slice(0, text.length / 2), { status: 200 }));
  },
  "the answer names another order": async (handle, { send }) => {
    const body = (await (await handle()).json()) as Record<string, unknown>;
    await send(Response.json({ ...body, orderID: `0x${"ab".repeat(32)}` }));
  },
  "the answer has an unknown status": async (handle, { send }) => {
    const body = (await (await handle()).json()) as Record<string, unknown>;
    await send(Response.json({ ...body, status: "unmatched" }));
  },
  "the request is delivered twice": async (handle, { send }) => {
    await handle();
    await send(await handle());
  },
  "the answer is an empty 425": async (handle, { send }) => {
    await handle();
    await send(new Response(null, { status: 425 }));
  },
};

/** Delivers the request after its sender has long given up. */
const lateDelivery =
  (ms: number): Fault =>
  async (handle, { drop }) => {
    drop();
    await later(ms);
    await handle();
  };

/** The request arrives when its sender has long been told, or told itself, that it did not. */
export const LATE: Record<string, Fault> = {
  "the request arrives after its sender has given up": lateDelivery(LATE_MS + 200),
  "a gateway fails a request that arrives later": async (handle, { send }) => {
    await send(new Response("<html>Bad gateway</html>", { status: 502 }));
    await later(LATE_MS + 200);
    await handle();
  },
};

/** A page of a list that has nothing on it. */
export const answerEmpty: Fault = async (handle, { send }) => {
  const page = (await (await handle()).json()) as Record<string, unknown>;
  await send(Response.json({ ...page, data: [] }));
};

/** Lets a fault happen to the first `times` requests of a kind. */
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
