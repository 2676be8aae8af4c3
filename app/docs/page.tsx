import type { Metadata } from "next";
import { firstTrade } from "@/app/docs/_lib/first-trade";
import { CURL_KEY, KEY_VARIABLE } from "@/app/docs/_lib/examples";
import { listGroups } from "@/app/docs/_lib/reference";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { OperationIndex } from "@/components/docs/operation-index";
import { SECTIONS } from "@/components/docs/sections";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "API reference" };

export default function ReferencePage() {
  return (
    <Article
      path="/docs"
      title="API reference"
      lead="One JSON API to read markets, place orders exactly once and track every result."
      sections={SECTIONS["/docs"]}
    >
      <FirstTrade />
      <Basics />
      <OperationIndex groups={listGroups()} />
    </Article>
  );
}

function Basics() {
  return (
    <>
      <Chapter
        id="requests"
        title="Requests"
        code={<CodeSample label="the header" code={`Authorization: Bearer $${KEY_VARIABLE}`} />}
      >
        <p>
          All paths start at <Code>{env().NEXTAUTH_URL}</Code>. Request bodies are JSON, up to 16
          KiB. Send your key with every request, except to public endpoints.
        </p>
        <p>
          A key has scopes: <Code>read</Code>, <Code>trade</Code>, <Code>cancel</Code> and{" "}
          <Code>webhooks</Code>. Create one under{" "}
          <a className="link" href="/keys">
            API keys
          </a>
          . You see it only once. Keep it on your servers: anyone who has it can act as you.
        </p>
      </Chapter>
      <Chapter
        id="responses"
        title="Responses"
        code={
          <CodeSample
            label="the envelope"
            language="JSON"
            code={[
              '{ "ok": true, "data": { … } }',
              '{ "ok": false, "error": { "code": "ORDER_TOO_SMALL", "message": "…" } }',
            ].join("\n")}
          />
        }
      >
        <p>Every response has the same envelope, whatever its status.</p>
        <p>
          Branch on <Code>code</Code>; show <Code>message</Code> to users. Every code is explained
          under{" "}
          <a className="link" href="/docs/errors">
            Errors
          </a>
          . The <Code>X-Request-Id</Code> header identifies the request.
        </p>
      </Chapter>
      <Chapter
        id="pages"
        title="Lists"
        code={
          <CodeSample
            label="a list and its next page"
            code={[
              "GET /v1/orders?limit=20",
              '{ "ok": true, "data": {',
              '  "orders": [ … ], "nextCursor": "CURSOR" } }',
              "",
              "GET /v1/orders?limit=20&nextCursor=CURSOR",
            ].join("\n")}
          />
        }
      >
        <p>
          Lists are newest first, except markets. If there is more, the response has a{" "}
          <Code>nextCursor</Code> and a <Code>Link</Code> header. Send the cursor back as{" "}
          <Code>nextCursor</Code>. Cursors stay valid as new rows arrive.
        </p>
      </Chapter>
      <Limits />
      <Chapter
        id="simulated-failures"
        title="Simulating failures"
        code={
          <CodeSample label="a simulated failure" language="curl" code={cancelWithoutResponse()} />
        }
      >
        <p>
          With a paper key, send the <Code>X-Rehearse</Code> header when you place or cancel orders
          to simulate a failure: <Code>lost-answer</Code> handles the request and drops the
          connection, <Code>timeout</Code> handles it and returns 502, <Code>unavailable</Code> does
          nothing and returns 502, <Code>slow</Code> responds after three seconds,{" "}
          <Code>delayed</Code> matches the order three seconds later. Test your retries before you
          need them.
        </p>
      </Chapter>
    </>
  );
}

function Limits() {
  const { RATE_LIMIT_READS_PER_S: reads, RATE_LIMIT_WRITES_PER_S: writes } = env();
  if (reads === 0 && writes === 0) {
    return (
      <Chapter id="limits" title="Limits">
        <p>This server doesn&rsquo;t limit requests.</p>
      </Chapter>
    );
  }
  return (
    <Chapter
      id="limits"
      title="Limits"
      code={<CodeSample label="a refused request" code={BEYOND_LIMIT} />}
    >
      <p>
        Each key can make {reads === 0 ? "any number of" : reads} reads and{" "}
        {writes === 0 ? "any number of" : writes} writes per second, with short bursts above that.
        Beyond the limit, the response is <Code>RATE_LIMITED</Code> with <Code>Retry-After</Code> in
        seconds. Every response to a request with a key has <Code>RateLimit-Policy</Code> and{" "}
        <Code>RateLimit</Code>: the burst size, the requests left in it, and the seconds until
        it&rsquo;s full again.
      </p>
    </Chapter>
  );
}

const BEYOND_LIMIT = [
  "HTTP/1.1 429 Too Many Requests",
  "Retry-After: 1",
  "",
  '{ "ok": false, "error": {',
  '  "code": "RATE_LIMITED", "message": "…" } }',
].join("\n");

/** Read at request time, because the environment may be missing during the build. */
const cancelWithoutResponse = () =>
  [
    "curl -X DELETE \\",
    `  "${env().NEXTAUTH_URL}/v1/orders/ORDER_ID" \\`,
    `  ${CURL_KEY} \\`,
    `  -H "X-Rehearse: lost-answer"`,
  ].join("\n");

/** The steps are short, so the code has most of the width. */
function FirstTrade() {
  return (
    <Chapter id="first-trade" title="First trade" isWide>
      <ol>
        {firstTrade().map(({ title, code, response }, index) => (
          <li key={title}>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 pb-3 lg:grid-cols-[14rem_minmax(0,1fr)]">
              {index === 0 ? (
                <p>
                  <a className="link" href="/keys/new">
                    Create an API key
                  </a>{" "}
                  and set it.
                </p>
              ) : (
                <p>{title}.</p>
              )}
              {/* A phone has the whole width for the code, so that no argument is broken. */}
              <div className="flex min-w-0 flex-col gap-2 max-sm:-ml-5">
                <CodeSample label={title} title="Shell" code={code} language="curl" />
                {response !== undefined && (
                  <CodeSample
                    label="its response"
                    title="Response"
                    code={response}
                    language="JSON"
                  />
                )}
              </div>
            </div>
          </li>
        ))}
      </ol>
      <p>
        Send the order again: you get the same response, byte for byte, with{" "}
        <Code>Idempotent-Replayed: true</Code>, and you don&rsquo;t buy twice.
      </p>
    </Chapter>
  );
}
