import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { SECTIONS } from "@/components/docs/sections";
import { TextTable } from "@/components/docs/text-table";
import { writeReceived, VERIFY_IN_JAVASCRIPT, VERIFY_IN_PYTHON } from "@/app/docs/_lib/receivers";
import { MAX_ATTEMPTS, PAUSES_MS } from "@/lib/webhooks/schedule";

export const metadata: Metadata = { title: "Receiving webhooks" };

const HEADERS = [
  ["webhook-id", "The message’s id. It’s the same in every attempt, so use it to skip repeats."],
  ["webhook-timestamp", "When this attempt was sent, in seconds since 1970."],
  [
    "webhook-signature",
    "One or more signatures, separated by spaces. Each is v1, a comma, and the signature in Base64.",
  ],
] as const;

export default function ReceivingWebhooksPage() {
  return (
    <Article
      path="/docs/receiving-webhooks"
      sections={SECTIONS["/docs/receiving-webhooks"]}
      title="Receiving webhooks"
      lead="What your endpoint gets, how to verify that it comes from Ante, and what happens when it doesn’t respond."
    >
      <Chapter
        id="message"
        title="A message"
        code={<CodeSample label="a received request" code={writeReceived()} />}
      >
        <p>
          Each event is one <Code>POST</Code> request. Its body is the event as{" "}
          <a className="link" href="/docs/events#listEvents">
            GET /v1/events
          </a>{" "}
          returns it. The first message of an endpoint has the type <Code>endpoint.test</Code>.
        </p>
        <TextTable
          caption="Headers of a message"
          head={["Header", "Meaning"]}
          rows={HEADERS.map(([name, text]) => ({
            key: name,
            cells: [<Code key={name}>{name}</Code>, text],
          }))}
        />
      </Chapter>
      <Chapter
        id="verify"
        title="Verify the signature"
        code={
          <>
            <CodeSample
              label="a receiver in JavaScript"
              code={VERIFY_IN_JAVASCRIPT}
              language="JavaScript"
            />
            <CodeSample label="a receiver in Python" code={VERIFY_IN_PYTHON} language="Python" />
          </>
        }
      >
        <p>
          Messages are signed as{" "}
          <a className="link" href="https://www.standardwebhooks.com">
            Standard Webhooks
          </a>{" "}
          says, so its libraries verify them. Without a library:
        </p>
        <ol>
          <li>
            Join <Code>webhook-id</Code>, <Code>webhook-timestamp</Code> and the body as received
            with dots. Don&rsquo;t parse and rewrite the body first.
          </li>
          <li>
            Compute HMAC-SHA256 of it. The key is the part of the secret after <Code>whsec_</Code>,
            decoded from Base64.
          </li>
          <li>
            Accept the message if one signature is equal. After you rotate the secret, messages
            carry two for 24 hours.
          </li>
          <li>Reject a timestamp that is more than five minutes old.</li>
        </ol>
      </Chapter>
      <Deliveries />
    </Article>
  );
}

const UNITS = [
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
] as const;

function formatPause(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1_000, "second"];
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function Deliveries() {
  return (
    <>
      <Chapter id="responses" title="Responding">
        <ul>
          <li>
            Respond with a status of 200 to 299 within 15 seconds. Any other status, a redirect too,
            is a failed attempt.
          </li>
          <li>Store the event, respond, and then work on it.</li>
          <li>
            A message can arrive twice. Skip a <Code>webhook-id</Code> that you have handled.
          </li>
        </ul>
      </Chapter>
      <Chapter id="attempts" title="Attempts">
        <p>
          There are up to {MAX_ATTEMPTS} attempts. The pauses between them are{" "}
          {PAUSES_MS.slice(1).map(formatPause).join(", ")}. Each pause differs by up to 10%. If your
          response has a longer <Code>Retry-After</Code>, we wait that long, up to a day.
        </p>
        <p>
          An endpoint with <Code>ordered</Code> gets an event only after the one before it was
          acknowledged. It has no last attempt: after the pauses above, we try every 12 hours.
        </p>
      </Chapter>
      <Chapter id="disabled" title="When an endpoint is disabled">
        <p>
          An endpoint is disabled if every attempt has failed for 5 days, or as soon as it responds
          with 410. Your account then gets the event <Code>webhook.disabled</Code>. When you resume
          the endpoint, it gets the events since then.
        </p>
      </Chapter>
    </>
  );
}
