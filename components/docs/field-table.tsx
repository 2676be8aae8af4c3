import type { FieldDoc } from "@/components/docs/operation-doc";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

interface Props {
  caption: string;
  fields: readonly FieldDoc[];
  /** Answers always have all of their fields. */
  isAnswer?: boolean;
}

/** Parameters or fields, one line each, with what may stand in them. */
export function FieldTable({ caption, fields, isAnswer = false }: Props) {
  const head = (
    <tr>
      <HeadCell>Name</HeadCell>
      <HeadCell>Type</HeadCell>
      <HeadCell>Notes</HeadCell>
    </tr>
  );
  return (
    <div className="overflow-hidden rounded-control border border-border">
      <Table caption={caption} head={head}>
        {fields.map((field) => (
          <Row key={`${field.place}/${field.name}`}>
            <Cell>
              <code className="font-mono text-caption whitespace-nowrap">{field.name}</code>
              {field.place !== null && (
                <span className="block text-caption text-text-3">in {field.place}</span>
              )}
            </Cell>
            <Cell>
              <span className="text-small whitespace-nowrap">{field.type}</span>
              {!isAnswer && (
                <span className="block text-caption text-text-3">
                  {field.isRequired ? "required" : "optional"}
                </span>
              )}
            </Cell>
            <Cell>
              <Notes field={field} />
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}

function Notes({ field: { description, constraints } }: { field: FieldDoc }) {
  return (
    <div className="min-w-[18ch] text-small text-text-2">
      {description !== "" && <p className="first-letter:uppercase">{description}</p>}
      {constraints !== "" && <p className="text-text-3 first-letter:uppercase">{constraints}</p>}
    </div>
  );
}
