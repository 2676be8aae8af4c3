import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll } from "vitest";
import { assert } from "@/lib/errors";

export interface UpstreamRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

/** A response of the venue: a JSON value with status 200, or another status or text. */
export type Answer = { json: unknown } | { status: number; text?: string };

/** A venue on loopback whose responses are set by each test, and which records its requests. */
export class Upstream {
  readonly asked: UpstreamRequest[] = [];
  private readonly answers = new Map<string, (asked: UpstreamRequest) => Answer>();
  private server: Server | null = null;

  /** Sets the response to a path such as "/gamma/events". Other paths return 404. */
  on(path: string, answer: (asked: UpstreamRequest) => Answer): void {
    this.answers.set(path, answer);
  }

  listRequests(path: string): UpstreamRequest[] {
    return this.asked.filter((one) => one.path === path);
  }

  forget(): void {
    this.answers.clear();
    this.asked.length = 0;
  }

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://upstream");
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const asked: UpstreamRequest = {
          method: request.method ?? "",
          path: url.pathname,
          query: url.searchParams,
          body: Buffer.concat(chunks).toString("utf8"),
        };
        this.asked.push(asked);
        const answer = this.answers.get(url.pathname)?.(asked) ?? { status: 404, text: "{}" };
        const [status, text] =
          "json" in answer
            ? [200, JSON.stringify(answer.json)]
            : [answer.status, answer.text ?? ""];
        response.writeHead(status, { "content-type": "application/json" }).end(text);
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(isAddress(address), "a listening server has an address");
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

/** Configures the service to use a test venue. Call it before the environment is parsed. */
export function useUpstream(): Upstream {
  const upstream = new Upstream();
  beforeAll(async () => {
    const origin = await upstream.open();
    process.env["CLOB_API_URL"] = `${origin}/clob`;
    process.env["GAMMA_API_URL"] = `${origin}/gamma`;
    process.env["DATA_API_URL"] = `${origin}/data`;
  });
  afterEach(() => upstream.forget());
  afterAll(() => upstream.close());
  return upstream;
}
