import type { McpServer } from "@modelcontextprotocol/server";
import type { Ante } from "@ante/client";

/** What the tools work with. */
export interface Toolbox {
  server: McpServer;
  /** The client, with the key of the connection. */
  ante: Ante;
  /** Reports a failure that is not one of the interface. The model learns only that there was one. */
  report: (error: unknown) => void;
}
