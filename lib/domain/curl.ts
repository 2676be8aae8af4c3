interface Call {
  method: string;
  url: string;
  /** JSON; null for a request without a body. */
  body?: string | null;
}

/**
 * Formats an API call as a shell command. The key comes from the environment, so the command can be
 * shown.
 */
export function formatCurl({ method, url, body = null }: Call): string {
  const isPlain = method === "GET" || (method === "POST" && body !== null);
  return [
    "curl",
    ...(isPlain ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $ANTE_API_KEY"`,
    ...(body === null ? [] : [`-H "Content-Type: application/json"`, `-d ${quote(body)}`]),
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
