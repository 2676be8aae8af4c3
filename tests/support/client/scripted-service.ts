// A service that answers the attempts of the client as a script says.
import { Ante, type AnteOptions, type Journal } from "@ante/client";

const PAPER_KEY = `ante_paper_JTBnexNs${"a".repeat(38)}`;

/** An answer; an error is thrown as by a broken connection. */
export type Scripted = Response | Error | ((request: Request) => Response | Promise<Response>);

export interface Sent {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

export const success = (data: object) => Response.json({ ok: true, data });

export const failure = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ ok: false, error: { code, message: `${code}.` } }, { status, headers });

/** Acknowledges an order with the key that it was sent with. */
export const acknowledge = async (request: Request) => {
  const { idempotencyKey } = (await request.json()) as { idempotencyKey: string };
  return success({ idempotencyKey, message: "Bought.", orderId: "ord_1", status: "filled" });
};

/** Creates a client of a service that answers with one of `script` after the other. */
export function scriptService(
  script: readonly Scripted[],
  options: Partial<AnteOptions> & { journal?: Journal } = {},
): { ante: Ante; sent: Sent[] } {
  const answers = [...script];
  const sent: Sent[] = [];
  const answer = async (...[url, init]: Parameters<typeof fetch>) => {
    const request = new Request(url, init);
    const { pathname, search } = new URL(request.url);
    const body = await request.clone().text();
    sent.push({ method: request.method, path: pathname + search, headers: request.headers, body });
    const next = answers.shift();
    if (next === undefined) throw new Error("the script has no more answers");
    if (next instanceof Error) throw next;
    return next instanceof Response ? next : next(request);
  };
  const ante = new Ante({
    baseUrl: "http://ante.test",
    apiKey: PAPER_KEY,
    firstPauseMs: 1,
    fetch: answer,
    ...options,
  });
  return { ante, sent };
}
