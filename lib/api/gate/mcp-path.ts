import "server-only";

/** The path of the MCP server, and the one that Next rewrites it to. */
export const MCP_PATH = /^\/(?:api\/)?mcp$/;
