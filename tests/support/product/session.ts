// A browser without JavaScript, as far as tests of the built product need one.
import type { OutgoingHttpHeaders } from "node:http";
import { type Answer, send } from "@/tests/support/product/client";

const FORM = "application/x-www-form-urlencoded";

/** Signs in and returns the session cookie as a `cookie` header has it. */
export async function signIn(
  port: number,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const asked = await send(port, { method: "GET", path: "/api/auth/csrf" });
  const { csrfToken } = JSON.parse(asked.text) as { csrfToken: string };
  const answer = await send(port, {
    method: "POST",
    path: "/api/auth/callback/credentials",
    headers: { "content-type": FORM, cookie: readCookies(asked) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }).toString(),
  });
  const cookie = readCookies(answer)
    .split("; ")
    .find((pair) => pair.includes("next-auth.session-token="));
  if (cookie === undefined) throw new Error(`nobody was signed in: ${answer.text}`);
  return cookie;
}

const readCookies = ({ headers }: Answer): string =>
  (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");

/** The fields of the page's last form that has `mark` in it, as the browser would send them. */
export function createForm(html: string, mark: string): Record<string, string> {
  const forms = [...html.matchAll(/<form[\s\S]*?<\/form>/g)].map(([form]) => form);
  const form = forms.findLast((text) => text.includes(mark) && text.includes("$ACTION_"));
  if (form === undefined) throw new Error(`the page has no form with ${mark}`);
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<(?:input|button)\b[^>]*>/g)) {
    const name = attribute(input, "name");
    if (name === null) continue;
    if (/type="(checkbox|radio)"/.test(input) && !/ checked=""/.test(input)) continue;
    fields[name] = attribute(input, "value") ?? "";
  }
  return fields;
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined
    ? null
    : value.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}

/** Sends a form as a browser without JavaScript sends those of server actions. */
export function postForm(
  port: number,
  sent: { path: string; form: Record<string, string>; headers: OutgoingHttpHeaders },
): Promise<Answer> {
  const boundary = "----ante-test-form";
  const parts = Object.entries(sent.form).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return send(port, {
    method: "POST",
    path: sent.path,
    headers: { ...sent.headers, "content-type": `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join("")}--${boundary}--\r\n`,
  });
}
