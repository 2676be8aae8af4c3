import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { SECTIONS } from "@/components/docs/sections";
import { TextTable } from "@/components/docs/text-table";
import { WithCode } from "@/components/docs/with-code";
import { ACCOUNT_EVENT_TYPES, EVENT_MEANINGS } from "@/lib/domain/account-events";
import { listDataFields } from "@/lib/schemas/events";

export const metadata: Metadata = { title: "Event types" };

export default function EventTypesPage() {
  return (
    <Article
      path="/docs/event-types"
      sections={SECTIONS["/docs/event-types"]}
      title="Event types"
      lead="Every type of event, for the types parameter of GET /v1/events and the types of a webhook."
    >
      <Chapter id="types" title="Types" isWide>
        <TextTable
          caption="Event types"
          head={["Type", "When", "Fields of data"]}
          rows={ACCOUNT_EVENT_TYPES.map((type) => ({
            key: type,
            cells: [
              <Code key={type}>{type}</Code>,
              <WithCode key={type} text={EVENT_MEANINGS[type]} />,
              <DataFields key={type} names={listDataFields(type)} />,
            ],
          }))}
        />
      </Chapter>
      <Chapter id="choosing" title="Choosing types">
        <p>
          Separate types with commas: <Code>types=order.filled,fill.created</Code>. Without{" "}
          <Code>types</Code>, you get every event. With it, numbers have gaps, and{" "}
          <Code>previousSeq</Code> names the event that you got before.
        </p>
        <p>
          New types can be added. Ignore types that your program doesn&rsquo;t know.{" "}
          <a className="link" href="/docs/events#listEvents">
            GET /v1/events
          </a>{" "}
          shows an event whole.
        </p>
      </Chapter>
    </Article>
  );
}

function DataFields({ names }: { names: readonly string[] }) {
  if (names.length === 0) return "None";
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </span>
  );
}
