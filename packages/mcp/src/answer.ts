import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { AnteError } from "@ante/client";
import type { z } from "zod";
import { describeFailure, type Failure, ToolFailure } from "./failure.ts";
import { hasSecret, withoutSecrets } from "./secrets.ts";
import type { Toolbox } from "./toolbox.ts";

/** Tools that change nothing. */
export const READ: ToolAnnotations = { readOnlyHint: true };

const SECRET_GIVEN: Failure = {
  error: {
    code: "SECRET_IN_ARGUMENTS",
    message:
      "An argument has the form of a secret, such as an API key. No tool takes one. Nothing happened.",
  },
};

/**
 * Makes the callback of a tool. It refuses secrets in the arguments, returns the output as text and as
 * structured content, and describes failures without secrets.
 *
 * @param output the schema of what `run` returns, which the server checks.
 */
export function answer<Args, Output extends z.ZodObject>(
  { report }: Toolbox,
  output: Output,
  run: (args: Args, call: ServerContext) => Promise<z.output<Output> | InputRequiredResult>,
): (args: Args, call: ServerContext) => Promise<CallToolResult | InputRequiredResult> {
  return async (args, call) => {
    if (hasSecret(args)) return fail(SECRET_GIVEN);
    try {
      const result = await run(args, call);
      if (isInputRequiredResult(result)) return result;
      const text = withoutSecrets(JSON.stringify(output.parse(result)));
      const structuredContent = JSON.parse(text) as Record<string, unknown>;
      return { content: [{ type: "text", text }], structuredContent };
    } catch (error) {
      const reason = error instanceof ToolFailure ? error.cause : error;
      if (!(reason instanceof AnteError)) report(reason);
      return fail(describeFailure(error));
    }
  };
}

function fail(failure: Failure): CallToolResult {
  const text = withoutSecrets(JSON.stringify(failure));
  return { content: [{ type: "text", text }], isError: true };
}
