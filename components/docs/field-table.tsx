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
      <HeadCell>Name and type</HeadCell>
      <HeadCell>Notes</HeadCell>
    </tr>
  );
  return (
    <div className="overflow-hidden rounded-control border border-border">
      <Table caption={caption} head={head}>
        {fields.map((field) => (
          <Row key={`${field.place}/${field.name}`}>
            <Cell>
              <div className="max-w-56 min-w-28">
                <code className="font-mono text-caption wrap-anywhere">{field.name}</code>
                <span className="block text-caption text-text-3">
                  {describeField(field, isResponse)}
                </span>
              </div>
            </Cell>
            <Cell>
              <Notes field={field} />
              {field.name === "types" && (
                <a
                  href="/docs/event-types"
                  className="link inline-flex min-h-11 items-center text-small lg:min-h-6"
                >
                  All event types
                </a>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}

/** Such as "string, required, in path". */
function describeField({ type, isRequired, place }: FieldDoc, isResponse: boolean): string {
  return [
    type,
    ...(isResponse ? [] : [isRequired ? "required" : "optional"]),
    ...(place === null ? [] : [`in ${place}`]),
  ].join(", ");
}

function Notes({ field: { description, constraints } }: { field: FieldDoc }) {
  return (
    <div className="min-w-[18ch] text-small text-text-2">
      {description !== "" && <p className="first-letter:uppercase">{description}</p>}
      {constraints !== "" && <p className="text-text-3 first-letter:uppercase">{constraints}</p>}
    </div>
  );
}
