import { AnteError, OutcomeUnknown } from "@ante/client";

/** A failure of a tool with more than the error, such as the idempotency key of an order. */
export class ToolFailure extends Error {
  constructor(
    override readonly cause: unknown,
    readonly details: Readonly<Record<string, unknown>>,
  ) {
    super("The tool failed.");
  }
}

/** What a tool returns about a failure. */
export interface Failure {
  error: { code: string; message: string };
  [detail: string]: unknown;
}

const REPEAT = "Call place_order again with the same arguments and this idempotencyKey.";

/** Describes a failure for the model. The reason of an unexpected one is not shown. */
export function describeFailure(failure: unknown): Failure {
  if (failure instanceof ToolFailure)
    return { ...describeFailure(failure.cause), ...failure.details };
  if (failure instanceof OutcomeUnknown) return { error: toError(failure), hint: REPEAT };
  if (failure instanceof AnteError) return { error: toError(failure) };
  return { error: { code: "INTERNAL_ERROR", message: "The tool failed." } };
}

const toError = ({ code, message }: AnteError) => ({ code, message });
