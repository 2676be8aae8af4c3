import { z } from "zod";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import { getEncoder } from "@/lib/schemas/encoder";

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

export const ErrorCodeName = z.enum(CODES);

export const Failure = z
  .strictObject({
    ok: z.literal(false).describe("False for a failure."),
    error: z
      .strictObject({
        code: ErrorCodeName.describe("Stable: branch on it. New codes can be added."),
        message: z.string().describe("The reason, as a sentence for users."),
      })
      .describe("What went wrong."),
  })
  .meta({ id: "Failure" });

/** Builds the body of a successful response. */
export function successBody<S extends z.ZodType>(schema: S, data: z.output<S>): string {
  return JSON.stringify({ ok: true, data: getEncoder(schema)(data) });
}

const COMMA = 0x2c;
const encoder = new TextEncoder();

/**
 * Encodes an item of an `EncodedList`. A short `Buffer` would be a part of 8 kB, which one kept item would hold in
 * memory.
 */
export function encodeItem<S extends z.ZodType>(schema: S, item: z.output<S>): Uint8Array {
  return encoder.encode(JSON.stringify(getEncoder(schema)(item)));
}

/** The data of a response with a list whose items are kept as JSON, and not encoded again for each response. */
export class EncodedList {
  /**
   * @param before the JSON before the items.
   * @param items the JSON of each item in UTF-8.
   * @param after the JSON after the items.
   */
  constructor(
    readonly before: string,
    readonly items: readonly Uint8Array[],
    readonly after: string,
    readonly nextCursor: string | null = null,
  ) {}

  /** Builds the same body as `successBody`, in UTF-8. */
  toBody(): Uint8Array<ArrayBuffer> {
    const before = encoder.encode(`{"ok":true,"data":${this.before}`);
    const after = encoder.encode(`${this.after}}`);
    const commas = Math.max(0, this.items.length - 1);
    let length = before.length + commas + after.length;
    for (const item of this.items) length += item.length;
    const body = new Uint8Array(length).fill(COMMA);
    body.set(before);
    let end = before.length;
    for (const item of this.items) {
      body.set(item, end);
      end += item.length + 1;
    }
    body.set(after, length - after.length);
    return body;
  }
}

/** Builds the body of a failed response. */
export function failureBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ ok: false, error: { code, message } });
}

/** Status and body of a response, which can be stored and replayed byte for byte. */
export interface Answer {
  status: number;
  body: string;
}

export function failureAnswer(code: ErrorCode, message: string): Answer {
  return { status: ERROR_STATUS[code], body: failureBody(code, message) };
}

/** Returns the error code of a response; null for a success. */
export function readErrorCode({ status, body }: Answer): ErrorCode | null {
  if (status < 400) return null;
  const parsed = Failure.safeParse(JSON.parse(body));
  return parsed.success ? parsed.data.error.code : null;
}

/**
 * Parses input. Throws an AppError for the first problem: with the schema's own code if it has one,
 * otherwise VALIDATION_ERROR with the field's name in the message.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  const message = issue?.message ?? "is not valid";
  const code = issue?.code === "custom" ? issue.params?.["errorCode"] : undefined;
  throw new AppError(
    code === "PRECISION_TOO_HIGH" ? code : "VALIDATION_ERROR",
    field === "" ? message : `${field}: ${message}`,
  );
}
