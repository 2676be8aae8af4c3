import type { Metadata } from "next";
import { KEY_PLACEHOLDER } from "@/app/docs/_lib/examples";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { TextTable } from "@/components/docs/text-table";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Retries" };

const CASES = [
  [
    "No idempotencyKey",
    "The service makes one and answers it. You cannot retry safely without it.",
  ],
  [
    "Refused before anything was recorded: a malformed body, an unknown market, a wrong tick",
    "The key stays free. Correct the request and use the same key.",
  ],
  [
    "Refused for good: too little balance, nothing to fill, a refusal of the exchange",
    "The refusal is kept. The same request gets the same 400; for another try use a new key.",
  ],
  [
    "The same key and the same order again",
    "The first answer, byte for byte, with Idempotent-Replayed: true. Nothing is placed.",
  ],
  [
    "The same key with another order",
    "400 IDEMPOTENCY_KEY_REUSED, naming the first field that differs. Nothing is placed.",
  ],
  [
    "The same order twice at the same time",
    "The second waits for the first one's answer. If that takes too long: 502 ORDER_IN_PROGRESS.",
  ],
] as const;

export default function RetriesPage() {
  return (
    <Article
      title="Retries"
      lead="Networks lose answers. An order with an idempotencyKey can be sent again until you know what became of it: it is placed at most once."
    >
      <Chapter id="three-answers" title="Three kinds of answers">
        <ul>
          <li>
            <strong>200</strong>: the order is recorded and accepted by the exchange.
          </li>
          <li>
            <strong>400</strong>: nothing of it is live, or ever will be.
          </li>
          <li>
            <strong>502, a time-out, a broken connection</strong>: not known yet. Send the same body
            with the same key again.
          </li>
        </ul>
      </Chapter>
      <Chapter id="recipe" title="What to do after a time-out">
        <ol>
          <li>
            Make the <Code>idempotencyKey</Code> before the first attempt, and store it with your
            intent to trade.
          </li>
          <li>Send the order. On 200 or 400 you are done.</li>
          <li>
            On 502, 429 or no answer: wait (one second, then twice as long each time, at most
            thirty; never less than <Code>Retry-After</Code>), and send exactly the same body again.
          </li>
          <li>
            Do not make a new key for the same intent: a new key is a new order, and if the first
            one went through you have bought twice.
          </li>
        </ol>
        <CodeSample label="a safe retry in Python" code={recipe()} />
      </Chapter>
      <Chapter id="cases" title="What a key does" isWide>
        <TextTable
          caption="What an idempotency key does"
          head={["Case", "What happens"]}
          rows={CASES.map(([title, result]) => ({ key: title, cells: [title, result] }))}
        />
        <p>
          A key belongs to your account, not to one API key, and is remembered for ever. It may have
          1 to 128 characters, and every one of them counts: nothing is trimmed or lower-cased.
          Numbers are compared by value: <Code>0.50</Code> is the same price as <Code>0.5</Code>.
        </p>
      </Chapter>
      <Chapter id="other-requests" title="Other requests">
        <p>
          Reads can be repeated at any time. Canceling can too: canceling a canceled order answers
          its record. Redeeming pays once: a second request is refused, because nothing is left to
          claim.
        </p>
      </Chapter>
      <Chapter id="rehearse" title="Rehearse it">
        <p>
          With a paper key, <Code>X-Rehearse: lost-answer</Code> places the order and drops the
          connection. Your client must end with one order.
        </p>
      </Chapter>
    </Article>
  );
}

/** Read at request time: the environment may not be there when the page is built. */
const recipe = () => `import time, uuid, requests

order = {"tokenId": TOKEN_ID, "action": "BUY", "orderType": "market", "amount": 25,
         "idempotencyKey": str(uuid.uuid4())}  # made once, before the first attempt

wait = 1
while True:
    try:
        response = requests.post("${env().NEXTAUTH_URL}/v1/orders", json=order, timeout=30,
                                 headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"})
        if response.status_code not in (429, 502):
            break
    except requests.RequestException:
        pass  # not known yet: the same body again
    time.sleep(wait)
    wait = min(wait * 2, 30)

print(response.json())`;
