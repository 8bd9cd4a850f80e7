/**
 * An MCP server with one tool, made with the official SDK. It knows nothing of CORS.
 * @module
 */
import type { RequestListener } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

/** What was asked, and in which session. */
export interface McpLog {
  asked: { method: string | undefined; session: string | string[] | undefined }[];
}

/** The server, for one session. */
export function createMcpServer(log: McpLog): RequestListener {
  const server = new McpServer({ name: "adder", version: "1.0.0" });
  const inputSchema = { a: z.number(), b: z.number() };
  server.registerTool(
    "add",
    { inputSchema },
    ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "the-session" });
  const connected = server.connect(transport);
  return async (request, response) => {
    log.asked.push({ method: request.method, session: request.headers["mcp-session-id"] });
    await connected;
    await transport.handleRequest(request, response);
  };
}
