import type { Metadata } from "next";
import { KEY_VARIABLE } from "@/app/docs/_lib/examples";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { TextTable } from "@/components/docs/text-table";
import { SECTIONS } from "@/components/docs/sections";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Retries" };

const CASES = [
  [
    "No idempotencyKey",
    "The service creates one. A 200 returns it, and the message of a 502 names it. Use it to retry.",
  ],
  [
    "Idempotency-Key header",
    "Used as the key. Send the header, idempotencyKey in the body, or both with the same value. Different values return 400.",
  ],
  [
    "Rejected before the order was recorded: a malformed body, an unknown market, a wrong tick",
    "The key isn’t used up. Fix the request and send the same key.",
  ],
  [
    "Rejected after the order was recorded: not enough balance, nothing to fill, a rejection by the exchange",
    "The rejection is stored. The same request returns the same 400. To try again, use a new key.",
  ],
  [
    "The same key and the same order again",
    "Returns the first response, byte for byte, with Idempotent-Replayed: true. No order is placed.",
  ],
  [
    "The same key with another order",
    "Returns 400 IDEMPOTENCY_KEY_REUSED and names the first field that differs. No order is placed.",
  ],
  [
    "The same order twice at the same time",
    "The second request waits for the first response. If that takes too long, it returns 502 ORDER_IN_PROGRESS.",
  ],
] as const;

export default function RetriesPage() {
  return (
    <Article
      path="/docs/retries"
      sections={SECTIONS["/docs/retries"]}
      title="Retries"
      lead="Networks lose responses. You can resend an order with an idempotencyKey until you know its result. It&rsquo;s placed at most once."
    >
      <Chapter id="three-answers" title="Three kinds of responses">
        <ul>
          <li>
            <strong>200</strong>: the order was recorded, and the exchange accepted it.
          </li>
          <li>
            <strong>400</strong>: the request was rejected and had no effect.
          </li>
          <li>
            <strong>502, a timeout or a broken connection</strong>: the result isn&rsquo;t known
            yet. Send the same body with the same key again.
          </li>
        </ul>
      </Chapter>
      <Chapter
        id="recipe"
        title="Retry after a timeout"
        code={<CodeSample label="a safe retry in Python" code={recipe()} language="Python" />}
      >
        <ol>
          <li>
            Create the <Code>idempotencyKey</Code> before the first attempt, and store it with your
            planned trade.
          </li>
          <li>Send the order. On 200 or 400, you&rsquo;re done.</li>
          <li>
            On 502, 429 or no response, wait and send exactly the same body again. Start with one
            second and double it each time, up to thirty seconds. Never wait less than{" "}
            <Code>Retry-After</Code>.
          </li>
          <li>
            Don&rsquo;t create a new key for the same trade. A new key is a new order, so you buy
            twice if the first one went through.
          </li>
        </ol>
      </Chapter>
      <Chapter id="cases" title="Idempotency keys" isWide>
        <TextTable
          caption="Idempotency keys by case"
          head={["Case", "Result"]}
          rows={CASES.map(([title, result]) => ({ key: title, cells: [title, result] }))}
        />
        <p>
          A key belongs to your account, not to one API key, and is remembered forever. It can have
          1 to 128 characters. It&rsquo;s compared exactly: nothing is trimmed or lowercased.
          Numbers are compared by value: <Code>0.50</Code> is the same price as <Code>0.5</Code>.
        </p>
      </Chapter>
      <Chapter id="other-requests" title="Other requests">
        <p>
          You can repeat reads at any time. You can repeat cancels too: canceling a canceled order
          returns its record. Redeeming pays once. A second request is rejected, because
          there&rsquo;s nothing left to claim.
        </p>
      </Chapter>
      <Chapter id="test" title="Test it">
        <p>
          With a paper key, <Code>X-Rehearse: lost-answer</Code> places the order and drops the
          connection. Your client should end up with one order.
        </p>
      </Chapter>
    </Article>
  );
}

/** Read at request time, because the environment may be missing during the build. */
const recipe = () => `import os, time, uuid, requests

order = {"tokenId": TOKEN_ID, "action": "BUY", "orderType": "market", "amount": 25,
         "idempotencyKey": str(uuid.uuid4())}  # made once, before the first attempt

wait = 1
while True:
    try:
        response = requests.post("${env().NEXTAUTH_URL}/v1/orders", json=order, timeout=30,
                                 headers={"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"})
        if response.status_code not in (429, 502):
            break
    except requests.RequestException:
        pass  # not known yet: the same body again
    time.sleep(wait)
    wait = min(wait * 2, 30)

print(response.json())`;
