import "server-only";
import type { CodeExample } from "@/components/docs/operation-doc";
import { env } from "@/lib/env";
import { SAMPLE_IDS } from "@/lib/api/operations/examples";
import type { ExampleBody, Operation } from "@/lib/api/operations/operation";

/** The placeholder for the reader's API key. */
export const KEY_PLACEHOLDER = "YOUR_API_KEY";

/** Returns a request in three languages. */
export function buildCodeExamples(operation: Operation): CodeExample[] {
  const request: ExampleRequest = {
    method: operation.method,
    url: buildExampleUrl(operation),
    hasKey: operation.access !== "open",
    body: Object.values(operation.exampleBodies ?? {})[0] ?? null,
    hasEnvelope: operation.isDocument !== true,
  };
  return [
    { language: "curl", code: curl(request) },
    { language: "JavaScript", code: javascript(request) },
    { language: "Python", code: python(request) },
  ];
}

interface ExampleRequest {
  method: Operation["method"];
  url: string;
  hasKey: boolean;
  body: ExampleBody | null;
  hasEnvelope: boolean;
}

function buildExampleUrl({ path, exampleQuery }: Operation): string {
  const query = new URLSearchParams(exampleQuery).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof SAMPLE_IDS) => SAMPLE_IDS[name]);
  return `${env().NEXTAUTH_URL}${filled}${query === "" ? "" : `?${query}`}`;
}

function curl({ method, url, hasKey, body }: ExampleRequest): string {
  const lines = [
    `curl ${method === "GET" || (method === "POST" && body) ? "" : `-X ${method} `}"${url}"`,
    ...(hasKey ? [`-H "Authorization: Bearer ${KEY_PLACEHOLDER}"`] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${indented(body, 2)}'`] : []),
  ];
  return lines.join(" \\\n  ");
}

function javascript({ method, url, hasKey, body, hasEnvelope }: ExampleRequest): string {
  const headers = [
    ...(hasKey ? [`    Authorization: "Bearer ${KEY_PLACEHOLDER}",`] : []),
    ...(body ? [`    "Content-Type": "application/json",`] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body ? [`  body: JSON.stringify(${indented(body, 2)}),`] : []),
  ];
  const call = options.length > 0 ? `"${url}", {\n${options.join("\n")}\n}` : `"${url}"`;
  const rest = hasEnvelope
    ? [
        "const { ok, data, error } = await response.json();",
        "if (!ok) throw new Error(`${error.code}: ${error.message}`);",
      ]
    : ["const document = await response.json();"];
  return [`const response = await fetch(${call});`, ...rest].join("\n");
}

function python({ method, url, hasKey, body, hasEnvelope }: ExampleRequest): string {
  const options = [
    `    "${url}",`,
    ...(hasKey ? [`    headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"},`] : []),
    ...(body ? [`    json=${indented(body, 4)},`] : []),
    "    timeout=30,",
  ];
  const rest = hasEnvelope
    ? [
        "answer = response.json()",
        'if not answer["ok"]:',
        '    raise RuntimeError(answer["error"]["code"])',
        'data = answer["data"]',
      ]
    : ["document = response.json()"];
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...options,
    ")",
    ...rest,
  ].join("\n");
}

/** Formats JSON with indented lines after the first one. Supports only texts and numbers. */
function indented(body: ExampleBody, spaces: number): string {
  return JSON.stringify(body, null, 2).replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
