interface Call {
  method: string;
  url: string;
}

/**
 * Formats an API call as a shell command. The key comes from the environment, so the command can be
 * shown. The body, which isn't logged, comes from a file.
 */
export function formatCurl({ method, url }: Call): string {
  const verb = method === "GET" || method === "POST" ? [] : [`-X ${method}`];
  const body = method === "POST" ? [`-H "Content-Type: application/json"`, "-d @body.json"] : [];
  return [
    "curl",
    ...verb,
    `-H "Authorization: Bearer $ANTE_API_KEY"`,
    ...body,
    `'${url.replaceAll("'", "%27")}'`,
  ].join(" ");
}

interface PostCall {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Formats a POST request with its headers and body as a shell command. */
export function formatCurlPost({ url, headers, body }: PostCall): string {
  const lines = [
    `curl ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-raw ${quote(body)}`,
  ];
  return lines.join(" \\\n  ");
}

/** Quotes a text for a shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
