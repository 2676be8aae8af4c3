import type { Metadata } from "next";
import { writeEvent, writeFollower } from "@/app/docs/_lib/followers";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { SECTIONS } from "@/components/docs/sections";
import { TextTable } from "@/components/docs/text-table";
import { WithCode } from "@/components/docs/with-code";
import { writeApostrophes } from "@/components/format/typographic";
import { EVENT_KINDS, EVENT_MEANINGS } from "@/lib/domain/account-events";
import { listDataFields } from "@/lib/schemas/events";

export const metadata: Metadata = { title: "Event types" };

const FIELDS = [
  ["seq", "The event’s number in the account’s log. It counts 1, 2, 3 and so on."],
  ["previousSeq", "The number of the event that you got before. Without a filter it’s `seq` − 1."],
  ["epoch", "Counts the resets of a paper account. The numbers go on."],
  ["requestId, keyId", "The request and the key that caused the event, or null."],
  ["data", "The whole object after the event, in the form of the other operations."],
] as const;

export default function EventTypesPage() {
  return (
    <Article
      path="/docs/event-types"
      sections={SECTIONS["/docs/event-types"]}
      title="Event types"
      lead="What an event says, how to follow an account without missing one, and every type."
    >
      <Chapter
        id="event"
        title="An event"
        code={<CodeSample label="an event in JSON" code={writeEvent()} language="JSON" />}
      >
        <p>
          Every change of an account is one event in its log. A paper account and a live account
          have a log each.
        </p>
        <TextTable
          caption="Fields of an event"
          head={["Field", "Meaning"]}
          rows={FIELDS.map(([name, text]) => ({
            key: name,
            cells: [<Code key={name}>{name}</Code>, <WithCode key={name} text={text} />],
          }))}
        />
      </Chapter>
      <Chapter
        id="follow"
        title="Follow without gaps"
        code={
          <CodeSample
            label="a program that handles every event"
            code={writeFollower()}
            language="JavaScript"
          />
        }
      >
        <p>Store the number of each event that you have handled. There are three ways to go on:</p>
        <ul>
          <li>
            Ask{" "}
            <a className="link" href="/docs/events#listEvents">
              GET /v1/events
            </a>{" "}
            for what comes after it. With <Code>waitSeconds</Code>, the response waits for an event.
          </li>
          <li>
            Connect to{" "}
            <a className="link" href="/docs/events#streamEvents">
              GET /v1/events/stream
            </a>
            , which sends what you missed and then each event as it happens.
          </li>
          <li>
            Have events sent to your server as{" "}
            <a className="link" href="/docs/receiving-webhooks">
              webhooks
            </a>
            .
          </li>
        </ul>
        <p>
          If your program stops between handling an event and storing its number, it gets the event
          again. Use <Code>seq</Code> to skip repeats.
        </p>
        <p>
          After a reset of a paper account, a number of the epoch before it gets{" "}
          <Code>INVALID_CURSOR</Code>, with the number to go on with.
        </p>
      </Chapter>
      <Chapter id="choosing" title="Choosing types">
        <p>
          Separate types with commas: <Code>types=order.filled,fill.created</Code>. Without{" "}
          <Code>types</Code>, you get every event. With it, numbers have gaps, and{" "}
          <Code>previousSeq</Code> names the event that you got before.
        </p>
        <p>New types can be added. Ignore types that your program doesn&rsquo;t know.</p>
      </Chapter>
      <Chapter id="types" title="Types" isWide>
        {EVENT_KINDS.map(({ name, title, types }) => (
          <div key={name} className="mt-2 md:[&_th:first-child]:w-60 md:[&_th:last-child]:w-64">
            <h3 className="mb-2 font-[550]">{title}</h3>
            <TextTable
              caption={`Event types: ${title}`}
              head={["Type", "When", "Fields of data"]}
              hasPhoneHeads={false}
              rows={types.map((type) => ({
                key: type,
                cells: [
                  <Code key={type}>{type}</Code>,
                  <WithCode key={type} text={writeApostrophes(EVENT_MEANINGS[type])} />,
                  <DataFields key={type} names={listDataFields(type)} />,
                ],
              }))}
            />
          </div>
        ))}
      </Chapter>
    </Article>
  );
}

function DataFields({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="text-text-2">No data</span>;
  return (
    <span className="flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="text-caption text-text-3 md:hidden">
        data:
      </span>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </span>
  );
}
