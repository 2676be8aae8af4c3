// Signed requests of a sandbox wallet to the sandbox's router in the same process.
import { now } from "@/lib/clock";
import { computeHmac } from "@/lib/polymarket/protocol/clob-auth";
import { answerSandbox } from "@/lib/sandbox/router";
import type { SandboxWallet } from "@/tests/support/sandbox/wallet";

export interface SandboxReply {
  status: number;
  headers: Headers;
  /** Null for an empty body. */
  body: unknown;
}

/** Sends a request to the CLOB with the wallet's API key, like the official client. */
export async function callClob(
  { caller, credentials }: Pick<SandboxWallet, "caller" | "credentials">,
  [method, path]: readonly [method: "GET" | "POST" | "DELETE", path: string],
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<SandboxReply> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const timestamp = String(Math.floor(now() / 1000));
  const signed = { timestamp, method, path: path.replace(/\?.*/, ""), body: text };
  const request = new Request(`http://ante.test/sandbox/clob${path}`, {
    method,
    headers: {
      POLY_ADDRESS: caller.owner,
      POLY_API_KEY: credentials.apiKey,
      POLY_PASSPHRASE: credentials.passphrase,
      POLY_TIMESTAMP: timestamp,
      POLY_SIGNATURE: computeHmac(credentials.secret, signed),
      ...headers,
    },
    ...(text === "" ? {} : { body: text }),
  });
  const response = await answerSandbox(request);
  const reply = await response.text();
  const { status } = response;
  return { status, headers: response.headers, body: reply === "" ? null : JSON.parse(reply) };
}
