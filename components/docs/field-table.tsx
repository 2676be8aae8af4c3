import type { FieldDoc } from "@/components/docs/operation-doc";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

interface Props {
  caption: string;
  fields: readonly FieldDoc[];
  /** Whether the fields belong to a response, which always has all of them. */
  isResponse?: boolean;
}

/** A table of parameters or fields with their types and descriptions. */
export function FieldTable({ caption, fields, isResponse = false }: Props) {
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
                <span className="block text-caption whitespace-nowrap text-text-3">
                  in {field.place}
                </span>
              )}
            </Cell>
            <Cell>
              <span className="text-small whitespace-nowrap">{field.type}</span>
              {!isResponse && (
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
