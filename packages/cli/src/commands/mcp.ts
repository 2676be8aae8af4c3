import { AuthenticationError } from "@ante/client";
import { type Command, refuseArguments } from "../command.ts";

const mcp: Command = {
  name: "mcp",
  summary: "Serve the tools for AI agents (MCP) on standard input and output.",
  details: `An agent starts this command and speaks the Model Context Protocol with it. The API key decides what the
agent may do: give it limits first. Orders are in the journal, so \`ante order resume\` finishes them.`,
  examples: ["ante mcp", "ante mcp --live"],
  async run({ args, connect }) {
    refuseArguments(args);
    const ante = connect();
    // Each tool would say that the key is wrong, in words about HTTP.
    await ante.key.get({ deadlineMs: 5_000 }).catch((error: unknown) => {
      if (error instanceof AuthenticationError) throw error;
    });
    // Only this command loads the tools, because they take longer than all others.
    const { serveTools } = await import("@ante/mcp/stdio");
    await serveTools(ante);
  },
};

export const AGENT_COMMANDS = [mcp];
