// A small API client that can send requests that no library would.
import { Agent, type IncomingHttpHeaders, request, type OutgoingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";

export interface Success {
  ok: true;
  data: Record<string, unknown>;
}

export interface Failure {
  ok: false;
  error: { code: string; message: string };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sent {
  method: string;
  path: string;
  key?: string | undefined;
  /** Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  headers?: OutgoingHttpHeaders | undefined;
}

const TIMEOUT_MS = 20_000;

/** Thrown when the connection broke before the complete response. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request. Rejects with `NoAnswer` unless the complete response arrived. */
export function send(port: number, sent: Sent): Promise<Answer> {
  const { method, path, body } = sent;
  const payload = toBytes(body);
  const headers: OutgoingHttpHeaders = { ...sent.headers };
  if (sent.key !== undefined) headers["authorization"] = `Bearer ${sent.key}`;
  if (payload && !has(headers, "content-type")) headers["content-type"] = "application/json";
  const isFramed = has(headers, "content-length") || has(headers, "transfer-encoding");
  if (payload && !isFramed) headers["content-length"] = payload.length;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new NoAnswer(error.message, { cause: error }));
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", fail);
      response.once("close", () => {
        if (!response.complete) return fail(new Error("the response was cut off"));
        const isGzip = response.headers["content-encoding"] === "gzip" && chunks.length > 0;
        const bytes = Buffer.concat(chunks);
        const text = (isGzip ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error("no answer in time")));
    asked.once("error", fail);
    asked.end(payload ?? undefined);
  });
}

function toBytes(body: unknown): Buffer | null {
  if (body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

const has = (headers: OutgoingHttpHeaders, name: string) =>
  Object.keys(headers).some((given) => given.toLowerCase() === name);

/** Parses the envelope. Throws if it is not a valid one for the status. */
export function readEnvelope({ status, text }: Pick<Answer, "status" | "text">): Success | Failure {
  const envelope: unknown = parse(text);
  const isFine = status === 200 ? isSuccess(envelope) : isFailure(envelope);
  if (!isFine) throw new Error(`${status} has no matching envelope: ${clip(text)}`);
  return envelope as Success | Failure;
}

/** Returns the data of a 200. Throws for anything else. */
export function readData<T = Record<string, unknown>>(answer: Answer): T {
  const envelope = readEnvelope(answer);
  if (!envelope.ok) throw new Error(`${answer.status} instead of 200: ${clip(answer.text)}`);
  return envelope.data as T;
}

/** Returns the code of a failure. Throws for a success. */
export function readCode(answer: Answer): string {
  const envelope = readEnvelope(answer);
  if (envelope.ok) throw new Error(`200 instead of a failure: ${clip(answer.text)}`);
  return envelope.error.code;
}

function isSuccess(value: unknown): boolean {
  return (
    isObject(value) &&
    hasOnly(value, "ok", "data") &&
    value["ok"] === true &&
    isObject(value["data"])
  );
}

function isFailure(value: unknown): boolean {
  if (!isObject(value) || !hasOnly(value, "ok", "error") || value["ok"] !== false) return false;
  const { error } = value;
  if (!isObject(error) || !hasOnly(error, "code", "message")) return false;
  const { code, message } = error;
  return (
    typeof code === "string" &&
    /^[A-Z][A-Z_]+$/.test(code) &&
    typeof message === "string" &&
    message !== ""
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: object, ...names: string[]): boolean {
  return Object.keys(value).toSorted().join() === names.toSorted().join();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const clip = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
