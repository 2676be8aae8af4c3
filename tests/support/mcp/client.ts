// The official MCP client, connected to the MCP server in this process.
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  StdioClientTransport,
  type StdioServerParameters,
} from "@modelcontextprotocol/client/stdio";
import { Ante } from "@ante/client";
import { createServer } from "@ante/mcp";
import { expect } from "vitest";
import { POST } from "@/app/api/mcp/route";
import { requestApi } from "@/tests/support/api/call-api";

/** The protocols that clients speak: with a handshake until 2025, without one since 2026. */
const PROTOCOLS = { "2025-11-25": "legacy", "2026-07-28": "auto" } as const;
export type Protocol = keyof typeof PROTOCOLS;
export const PROTOCOL_VERSIONS = Object.keys(PROTOCOLS) as Protocol[];

/** What a tool returned. */
export interface ToolAnswer {
  isError: boolean;
  text: string;
  /** The text, parsed. */
  data: Record<string, unknown> & { error?: { code: string; message: string } };
}

export interface McpCaller {
  client: Client;
  call: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
}

/** Connects a client over HTTP, without a network. */
export async function connect(
  apiKey: string,
  protocol: Protocol = "2025-11-25",
  options: ClientOptions = {},
): Promise<McpCaller> {
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1:3000/mcp"), {
    fetch: (input, init) => POST(new Request(input, init)),
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { ...options, versionNegotiation: { mode: PROTOCOLS[protocol] } },
  );
  await client.connect(transport);
  return toCaller(client);
}

/** Starts a command that serves the tools on standard input and output, and connects a client to it. */
export async function connectToCommand(command: StdioServerParameters): Promise<McpCaller> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport(command));
  return toCaller(client);
}

/** Connects a client of 2025 to a server whose requests to the interface go through `send`. */
export async function connectThrough(
  apiKey: string,
  send: typeof fetch,
  options: ClientOptions = {},
): Promise<McpCaller & { unexpected: unknown[] }> {
  const patience = { firstPauseMs: 1, deadlineMs: 1_000 };
  const ante = new Ante({ baseUrl: "http://127.0.0.1:3000", apiKey, fetch: send, ...patience });
  const unexpected: unknown[] = [];
  const server = createServer({ ante, report: (error) => unexpected.push(error) });
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return { ...toCaller(client), unexpected };
}

/** Sends a request of the client to the interface in this process. */
export const sendToApi: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  return requestApi(request.method, `${pathname}${search}`, {
    headers: Object.fromEntries(request.headers),
    ...(body !== "" && { body }),
  });
};

function toCaller(client: Client): McpCaller {
  return { client, call: (name, args = {}) => callTool(client, name, args) };
}

/** Calls a tool, and checks that the text and the structured content are the same. */
async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolAnswer> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [content] = result.content;
  if (content?.type !== "text") throw new Error(`${name} returned no text`);
  const isError = result.isError === true;
  const data = parse(content.text);
  if (!isError) expect(result.structuredContent).toEqual(data);
  return { isError, text: content.text, data };
}

/** Arguments that don't fit the schema are refused in plain text. */
function parse(text: string): ToolAnswer["data"] {
  try {
    return JSON.parse(text) as ToolAnswer["data"];
  } catch {
    return {};
  }
}
