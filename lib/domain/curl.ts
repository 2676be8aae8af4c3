interface Call {
  method: string;
  url: string;
}

/**
 * A call to the interface as a line for a shell. The key comes from the environment, so the line
 * may be shown and kept; a body, which nobody kept, from a file.
 */
export function curlLine({ method, url }: Call): string {
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
