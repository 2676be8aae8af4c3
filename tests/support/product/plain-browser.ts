// A browser without scripts: cookies, links and forms over plain HTTP, with custom headers.
export interface Seen {
  status: number;
  headers: Headers;
  text: string;
}

export class PlainBrowser {
  readonly cookies = new Map<string, string>();
  /** Every Set-Cookie line received. */
  readonly cookieLines: string[] = [];

  constructor(
    readonly port: number,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async ask(path: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      ...init,
      redirect: "manual",
      headers: {
        accept: "text/html,*/*;q=0.8",
        ...this.headers,
        ...(cookie ? { cookie } : {}),
        ...init.headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Signs in through next-auth's routes. Returns the status. */
  async signIn({ email, password }: { email: string; password: string }): Promise<number> {
    const { text } = await this.ask("/api/auth/csrf");
    const { csrfToken } = JSON.parse(text) as { csrfToken: string };
    const { status } = await this.ask("/api/auth/callback/credentials", {
      method: "POST",
      body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
    });
    return status;
  }

  /** Submits the first form of a page that matches `about`, with `fields` over its own values. */
  async submit(path: string, about: RegExp, fields: Record<string, string> = {}): Promise<Seen> {
    return this.send(path, { ...(await this.readForm(path, about)), ...fields });
  }

  async readForm(path: string, about: RegExp): Promise<Record<string, string>> {
    const { text } = await this.ask(path);
    const forms = [...text.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);
    const form = forms.find((one) => about.test(one));
    if (form === undefined) throw new Error(`${path} has no form with ${about}`);
    return readValues(form);
  }

  async send(
    path: string,
    values: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Seen> {
    const body = new FormData();
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    return this.ask(path, { method: "POST", body, headers });
  }

  get session(): string | undefined {
    return [...this.cookies].find(([name]) => name.endsWith("next-auth.session-token"))?.[1];
  }

  private keep(line: string): void {
    this.cookieLines.push(line);
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

function readValues(form: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
    const { name, value = "", type } = readAttributes(input);
    const isChoice = type === "radio" || type === "checkbox";
    if (name !== undefined && (!isChoice || / checked=""/.test(input))) values[name] = value;
  }
  for (const [select, name = ""] of form.matchAll(/<select\b[^>]* name="([^"]+)".*?<\/select>/gs)) {
    const options = [...select.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
    const chosen = options.find((option) => option.includes(' selected=""')) ?? options[0] ?? "";
    values[name] = readAttributes(chosen)["value"] ?? "";
  }
  return values;
}

function readAttributes(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/ ([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name = "", text = ""]) => [name, unescapeHtml(text)]));
}

export function unescapeHtml(text: string): string {
  const names: Record<string, string> = { quot: '"', amp: "&", lt: "<", gt: ">", "#x27": "'" };
  return text.replaceAll(/&(quot|amp|lt|gt|#x27);/g, (_, name: string) => names[name] ?? "");
}
