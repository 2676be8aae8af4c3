import "server-only";
import type { CodeExample } from "@/components/docs/operation-doc";
import { env } from "@/lib/env";
import { SAMPLE_IDS } from "@/lib/api/operations/examples";
import type { ExampleBody, Operation } from "@/lib/api/operations/operation";

/** The environment variable with the reader's API key, in every sample of the documentation. */
export const KEY_VARIABLE = "ANTE_API_KEY";

/** The header that a shell command sends its key in. */
export const CURL_KEY = `-H "Authorization: Bearer $${KEY_VARIABLE}"`;

/** Returns a request in three languages. */
export function buildCodeExamples(operation: Operation): CodeExample[] {
  const request: ExampleRequest = {
    method: operation.method,
    url: buildExampleUrl(operation),
    hasKey: operation.access !== "open",
    body: Object.values(operation.exampleBodies ?? {})[0] ?? null,
    response: operation.isStream ? "stream" : operation.isDocument ? "document" : "envelope",
  };
  return [
    { language: "curl", code: curl(request) },
    { language: "JavaScript", code: javascript(request) },
    { language: "Python", code: python(request) },
  ];
}

/** Says which ids of an example request the reader has to replace; null if it can be sent as it is. */
export function describeOwnIds({ path }: Pick<Operation, "path">): string | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => OWN_IDS[name]);
  const own = names.filter((name) => name !== undefined);
  return own.length === 0 ? null : `Use the id of ${own.join(" and of ")}.`;
}

const OWN_IDS: Readonly<Record<string, string | undefined>> = {
  orderId: "one of your orders",
  positionId: "a redeemable position",
  transactionId: "one of your transactions",
  webhookId: "one of your webhooks",
  deliveryId: "one of its deliveries",
};

interface ExampleRequest {
  method: Operation["method"];
  url: string;
  hasKey: boolean;
  body: ExampleBody | null;
  response: "envelope" | "document" | "stream";
}

function buildExampleUrl({ path, exampleQuery }: Operation): string {
  const query = new URLSearchParams(exampleQuery).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof SAMPLE_IDS) => SAMPLE_IDS[name]);
  return `${env().NEXTAUTH_URL}${filled}${query === "" ? "" : `?${query}`}`;
}

function curl({ method, url, hasKey, body, response }: ExampleRequest): string {
  const options = [
    // The output of a stream is shown as it comes.
    ...(response === "stream" ? ["-N"] : []),
    ...(method === "GET" || (method === "POST" && body) ? [] : [`-X ${method}`]),
  ];
  const lines = [
    ["curl", ...options, `"${url}"`].join(" "),
    ...(hasKey ? [CURL_KEY] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${indented(body, 2)}'`] : []),
  ];
  return lines.join(" \\\n  ");
}

function javascript({ method, url, hasKey, body, response }: ExampleRequest): string {
  const headers = [
    ...(hasKey ? [`    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,`] : []),
    ...(body ? [`    "Content-Type": "application/json",`] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body ? [`  body: JSON.stringify(${indented(body, 2)}),`] : []),
  ];
  const call = options.length > 0 ? `"${url}", {\n${options.join("\n")}\n}` : `"${url}"`;
  return [`const response = await fetch(${call});`, ...JAVASCRIPT_READS[response]].join("\n");
}

const JAVASCRIPT_READS: Record<ExampleRequest["response"], readonly string[]> = {
  envelope: [
    "const { ok, data, error } = await response.json();",
    "if (!ok) throw new Error(`${error.code}: ${error.message}`);",
  ],
  document: ["const document = await response.json();"],
  stream: [
    "if (!response.ok) throw new Error(await response.text());",
    "",
    'let rest = "";',
    "const texts = response.body.pipeThrough(new TextDecoderStream());",
    "for await (const text of texts) {",
    '  const events = (rest + text).split("\\n\\n");',
    "  rest = events.pop();",
    "  for (const event of events) {",
    "    const [, data] = event.match(/^data: (.*)$/m) ?? [];",
    "    if (data) console.log(JSON.parse(data));",
    "  }",
    "}",
  ],
};

function python({ method, url, hasKey, body, response }: ExampleRequest): string {
  const isStream = response === "stream";
  const imports = [...(isStream ? ["json"] : []), ...(hasKey ? ["os"] : [])].map(
    (name) => `import ${name}`,
  );
  const options = [
    `    "${url}",`,
    ...(hasKey
      ? [`    headers={"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"},`]
      : []),
    ...(body ? [`    json=${indented(body, 4)},`] : []),
    ...(isStream ? ["    stream=True,"] : []),
    "    timeout=30,",
  ];
  return [
    ...imports,
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...options,
    ")",
    ...PYTHON_READS[response],
  ].join("\n");
}

const PYTHON_READS: Record<ExampleRequest["response"], readonly string[]> = {
  envelope: [
    "result = response.json()",
    'if not result["ok"]:',
    '    raise RuntimeError(result["error"]["message"])',
    'data = result["data"]',
  ],
  document: ["document = response.json()"],
  stream: [
    "response.raise_for_status()",
    "",
    "for line in response.iter_lines(decode_unicode=True):",
    '    if line.startswith("data: "):',
    '        print(json.loads(line.removeprefix("data: ")))',
  ],
};

/** Formats JSON with indented lines after the first one. Supports only texts and numbers. */
function indented(body: ExampleBody, spaces: number): string {
  return JSON.stringify(body, null, 2).replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
