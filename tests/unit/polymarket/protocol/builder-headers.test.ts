import { describe, expect, it } from "vitest";
import {
  type BuilderCredentials,
  isBuilderRequest,
  makeBuilderHeaders,
} from "@/lib/polymarket/protocol/builder-headers";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Vector extends BuilderCredentials {
  timestamp: number;
  method: string;
  path: string;
  body: string | null;
  headers: Record<string, string>;
}
const { vectors } = readRecorded<{ vectors: Vector[] }>("relayer/builder_hmac.json");

const toRequest = ({ timestamp, method, path, body }: Vector) => ({
  timestamp: String(timestamp),
  method,
  path,
  body: body ?? "",
});

describe("a builder's headers", () => {
  it("are recorded", () => expect(vectors.length).toBeGreaterThan(7));

  it.each(vectors)("of $method $path at $timestamp are the recorded ones", (vector) => {
    const headers = makeBuilderHeaders(vector, toRequest(vector));
    expect(headers).toEqual(vector.headers);
    expect(isBuilderRequest(new Headers(headers), vector, toRequest(vector))).toBe(true);
  });

  it("are refused for another key, passphrase, time, method, path or body", () => {
    const [vector, , , , another] = vectors;
    if (!vector || !another) throw new Error("no vectors");
    const request = toRequest(vector);
    const headers = new Headers(vector.headers);
    const others: [BuilderCredentials, typeof request][] = [
      [{ ...vector, key: another.key }, request],
      [{ ...vector, passphrase: "wrong" }, request],
      [{ ...vector, secret: another.secret }, request],
      [vector, { ...request, timestamp: "1795354801" }],
      [vector, { ...request, method: "PUT" }],
      [vector, { ...request, path: "/sandbox/relayer/submit" }],
      [vector, { ...request, body: `${request.body} ` }],
    ];
    for (const [credentials, changed] of others) {
      expect(isBuilderRequest(headers, credentials, changed)).toBe(false);
    }
    expect(isBuilderRequest(new Headers(), vector, request)).toBe(false);
  });
});
