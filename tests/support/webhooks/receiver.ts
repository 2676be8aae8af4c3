// A receiver of webhooks on this machine. Call `allowPrivate` before the service reads its environment.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll } from "vitest";

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The body as it came. */
  bytes: Buffer;
  /** Whether it was acknowledged. */
  isAcknowledged: boolean;
}

/** How the receiver responds to a message. */
interface Response {
  status: number;
  headers?: Record<string, string>;
}

export interface Receiver {
  readonly url: string;
  /** Everything that arrived, in order, test messages included. */
  readonly received: Received[];
  respond: (message: Omit<Received, "isAcknowledged">) => Response;
}

/** Lets webhooks be sent to this machine. */
export function allowPrivate(): void {
  process.env["WEBHOOK_ALLOW_PRIVATE"] = "1";
}

/** Runs a receiver while the tests of a file run. It acknowledges everything unless told otherwise. */
export function useReceiver(): Receiver {
  const receiver = {
    url: "",
    received: [] as Received[],
    respond: (): Response => ({ status: 204 }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const message = {
        path: request.url ?? "",
        headers: request.headers as Record<string, string>,
        body: bytes.toString(),
        bytes,
      };
      const { status, headers = {} } = (receiver as Receiver).respond(message);
      receiver.received.push({ ...message, isAcknowledged: status < 300 });
      response.writeHead(status, headers).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** Verifies a message with the package that receivers use. Throws if no signature fits. */
export function verify(
  { headers, body }: Pick<Received, "headers" | "body">,
  secret: string,
): void {
  new Webhook(secret).verify(body, headers);
}
