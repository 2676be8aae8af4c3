import "server-only";
import { firstTrade } from "@/app/docs/_lib/first-trade";
import { listGroups, type ReferenceOperation } from "@/app/docs/_lib/reference";
import { DOCS_PAGES } from "@/components/docs/pages";
import { env } from "@/lib/env";

/** A map of the API and its documentation for language models. */
export function GET(): Response {
  return new Response(buildLlmsText(), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** Returns the API reference in plain text, from the OpenAPI document. */
function buildLlmsText(): string {
  const origin = env().NEXTAUTH_URL;
  return [
    "# Ante",
    "",
    "> A self-hosted betting account service for prediction markets: one HTTP JSON API with API",
    "> keys, paper money on an embedded exchange, orders that are placed at most once.",
    "",
    `Base address: ${origin}. Send "Authorization: Bearer YOUR_API_KEY". Every response is an envelope:`,
    `{ "ok": true, "data": … } or { "ok": false, "error": { "code", "message" } }. 200 means recorded`,
    "and accepted. 400 means rejected, with no effect. 502 or no response means not known yet: send the",
    "same body with the same idempotencyKey again. Amounts are USDC, prices are between 0 and 1.",
    "",
    "## Documentation",
    "",
    ...DOCS_PAGES.map(({ href, label }) => `- [${label}](${origin}${href})`),
    `- [OpenAPI 3.1 document](${origin}/v1/openapi.json)`,
    `- [AsyncAPI 3.0 document](${origin}/v1/asyncapi.json)`,
    "",
    ...listGroups().flatMap(({ name, operations }) => [
      `## ${name}`,
      "",
      ...operations.map(operationLine),
      "",
    ]),
    "## First trade",
    "",
    ...firstTrade().flatMap(({ title, code }) => [`${title}:`, "", "```sh", code, "```", ""]),
  ].join("\n");
}

function operationLine({ id, method, path, access, summary, ...rest }: ReferenceOperation): string {
  const fields = [...rest.parameters, ...(rest.body ?? [])].map(
    ({ name, isRequired }) => `${name}${isRequired ? "" : "?"}`,
  );
  const takes = fields.length > 0 ? ` Takes ${fields.join(", ")}.` : "";
  return `- ${method} ${path} (${id}, ${access}): ${summary.replace(/\w$/, "$&.")} ${rest.description.replaceAll("\n- ", " ")}${takes}`;
}
