import type { Metadata } from "next";
import { firstTrade } from "@/app/docs/_lib/first-trade";
import { KEY_PLACEHOLDER } from "@/app/docs/_lib/examples";
import { listChapters } from "@/app/docs/_lib/reference";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { OperationSection } from "@/components/docs/operation-section";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "API reference" };

export default function ReferencePage() {
  return (
    <Article
      title="API reference"
      lead="One HTTP JSON interface: read markets, place orders once, look up what became of them."
      isWide
    >
      <Basics />
      <FirstTrade />
      {listChapters().map(({ group, operations }) => (
        <section key={group} aria-labelledby={`chapter-${group}`} className="mt-10">
          <h2 id={`chapter-${group}`} className="mb-3 text-title">
            {group}
          </h2>
          {operations.map((operation) => (
            <OperationSection key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
    </Article>
  );
}

function Basics() {
  return (
    <>
      <Chapter id="requests" title="Requests">
        <p>
          All paths below start at <Code>{env().NEXTAUTH_URL}</Code>. Bodies are JSON of at most 16
          KiB. Send your key with every request but those that are open to all:
        </p>
        <CodeSample label="the header" code={`Authorization: Bearer ${KEY_PLACEHOLDER}`} />
        <p>
          A key has scopes: <Code>read</Code>, <Code>trade</Code> and <Code>cancel</Code>. Make one
          on the page{" "}
          <a className="link" href="/keys">
            API keys
          </a>
          . It is shown once. Keep it on your servers: whoever has it acts as you.
        </p>
      </Chapter>
      <Chapter id="answers" title="Answers">
        <p>Every answer is an envelope, whatever its status:</p>
        <CodeSample
          label="the envelope"
          code={[
            '{ "ok": true, "data": { … } }',
            '{ "ok": false, "error": { "code": "ORDER_TOO_SMALL", "message": "…" } }',
          ].join("\n")}
        />
        <p>
          Tell cases apart by <Code>code</Code>, show <Code>message</Code> to people; every code is
          explained under{" "}
          <a className="link" href="/docs/errors">
            Errors
          </a>
          . The header <Code>X-Request-Id</Code> names the request.
        </p>
      </Chapter>
      <Chapter id="pages" title="Lists">
        <p>
          Lists are newest first, markets excepted. A list that goes on has a{" "}
          <Code>nextCursor</Code> and a <Code>Link</Code> header; send the cursor back as{" "}
          <Code>nextCursor</Code>. It stays right while new rows arrive.
        </p>
      </Chapter>
      <Chapter id="limits" title="Limits">
        <Limits />
      </Chapter>
      <Chapter id="rehearsals" title="Rehearsing failures">
        <p>
          With a paper key, the header <Code>X-Rehearse</Code> on placing or canceling makes a
          failure happen: <Code>lost-answer</Code> does the work and drops the connection,{" "}
          <Code>timeout</Code> does it and answers 502, <Code>unavailable</Code> does nothing and
          answers 502, <Code>slow</Code> answers after three seconds, <Code>delayed</Code> matches
          three seconds later. Try your retries before you need them.
        </p>
      </Chapter>
    </>
  );
}

function Limits() {
  const { RATE_LIMIT_READS_PER_S: reads, RATE_LIMIT_WRITES_PER_S: writes } = env();
  if (reads === 0 && writes === 0) return <p>Requests are not limited on this service.</p>;
  return (
    <p>
      Each key may make {reads === 0 ? "any number of" : reads} reads and{" "}
      {writes === 0 ? "any number of" : writes} writes a second, and short bursts of more. Above
      that the answer is <Code>RATE_LIMITED</Code> with <Code>Retry-After</Code> in seconds.
    </p>
  );
}

function FirstTrade() {
  return (
    <Chapter id="first-trade" title="A first trade">
      <ol>
        {firstTrade().map(({ title, code }) => (
          <li key={title}>
            <p className="mb-2">{title}.</p>
            <CodeSample label={title.toLowerCase()} code={code} />
          </li>
        ))}
      </ol>
      <p>
        Send the order again: the answer is the same, byte for byte, with{" "}
        <Code>Idempotent-Replayed: true</Code>, and nothing is bought twice.
      </p>
    </Chapter>
  );
}
