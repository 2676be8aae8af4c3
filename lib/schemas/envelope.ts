import { z } from "zod";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import { encoderOf } from "@/lib/schemas/encoder";

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

export const ErrorCodeName = z.enum(CODES);

export const Failure = z
  .strictObject({
    ok: z.literal(false),
    error: z.strictObject({ code: ErrorCodeName, message: z.string() }),
  })
  .meta({ id: "Failure" });

/** The body of a success, as text: the only place where one is built. */
export function successBody<S extends z.ZodType>(schema: S, data: z.output<S>): string {
  return JSON.stringify({ ok: true, data: encoderOf(schema)(data) });
}

/** The body of a failure, as text. */
export function failureBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ ok: false, error: { code, message } });
}

/** Status and body that a caller gets, ready to be kept and given again byte for byte. */
export interface Answer {
  status: number;
  body: string;
}

export function failureAnswer(code: ErrorCode, message: string): Answer {
  return { status: ERROR_STATUS[code], body: failureBody(code, message) };
}

/** The error code of a finished answer; null when it is a success. */
export function codeOf({ status, body }: Answer): ErrorCode | null {
  if (status < 400) return null;
  const parsed = Failure.safeParse(JSON.parse(body));
  return parsed.success ? parsed.data.error.code : null;
}

/**
 * Checks what a caller sent. The first problem decides the error: its own code if the schema gives
 * one, else VALIDATION_ERROR, with the field's name in the message.
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
