import { expect, it } from "vitest";
import {
  cleanUpAfterwards,
  demoKey,
  listMarkets,
  type Product,
  readDemo,
  startPrepared,
  until,
} from "@/tests/support/product/product";

cleanUpAfterwards();

/** Signs in through next-auth's routes and returns the session cookie. */
async function sessionCookie(product: Product): Promise<string> {
  const origin = `http://127.0.0.1:${product.port}`;
  const asked = await fetch(`${origin}/api/auth/csrf`);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const { email, password } = readDemo(product.dataDir);
  const answer = await fetch(`${origin}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: readCookies(asked) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  return readCookies(answer);
}

const readCookies = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

it("an open stream requires a session, delivers events and does not delay a shutdown", async () => {
  const product = await startPrepared();
  const [market] = await listMarkets(product.port, demoKey(product), 1);
  const query = `market=${market?.id}&token=${market?.outcomes[0]?.tokenId}`;
  const url = `http://127.0.0.1:${product.port}/api/ui/stream?${query}`;
  expect((await fetch(url)).status).toBe(401);
  const withKey = await fetch(url, { headers: { authorization: `Bearer ${demoKey(product)}` } });
  expect(withKey.status).toBe(401);

  const stream = await fetch(url, { headers: { cookie: await sessionCookie(product) } });
  expect(stream.status).toBe(200);
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  let heard = "";
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
  })();
  await until("the book", async () => heard.includes("event: book\n"));
  // A browser's own pause before it connects again is longer.
  expect(heard).toMatch(/^retry: 1000\n\n/);
  const { code, inMs } = await product.stop();
  await reading;
  expect(code).toBe(0);
  expect(inMs).toBeLessThan(5_000);
});
