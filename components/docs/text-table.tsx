import type { ReactNode } from "react";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

interface Props {
  caption: string;
  head: readonly string[];
  /** The cells by row. Keys must be unique. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Whether a phone shows the heads beside the cells; not if the cells speak for themselves. */
  hasPhoneHeads?: boolean;
}

const FRAME = "overflow-hidden rounded-control border border-border bg-surface";
/** More columns don't fit on a phone. */
const MOST_ON_PHONES = 2;

/** A table of sentences. A wide one is stacked on a phone: each row below the next, with its heads. */
export function TextTable(props: Props) {
  return (
    <div className={FRAME}>
      {props.head.length > MOST_ON_PHONES ? <Stacked {...props} /> : <Plain {...props} />}
    </div>
  );
}

function Plain({ caption, head, rows }: Props) {
  const titles = (
    <tr>
      {head.map((title) => (
        <HeadCell key={title}>{title}</HeadCell>
      ))}
    </tr>
  );
  return (
    <Table caption={caption} head={titles}>
      {rows.map(({ key, cells }) => (
        <Row key={key}>
          {cells.map((cell, index) => (
            <Cell key={head[index]}>
              <div className={index === 0 ? "" : "min-w-[16ch]"}>{cell}</div>
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

/** The roles are explicit, because an element of a table that is shown as a block has none. */
function Stacked({ caption, head, rows, hasPhoneHeads = true }: Props) {
  return (
    <table role="table" className="w-full border-collapse text-left max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="bg-surface-2 max-md:sr-only">
        <tr role="row">
          {head.map((title) => (
            <th
              key={title}
              role="columnheader"
              scope="col"
              className="h-9 px-3 text-caption whitespace-nowrap text-text-3"
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-md:block">
        {rows.map(({ key, cells }) => (
          <tr
            key={key}
            role="row"
            className="border-t border-border max-md:block max-md:py-2 max-md:first:border-t-0"
          >
            {cells.map((cell, index) => (
              <td
                key={head[index]}
                role="cell"
                className={`px-3 py-1.5 max-md:block md:h-11 ${hasPhoneHeads ? "max-md:py-1" : "max-md:py-0.5"}`}
              >
                {index > 0 && hasPhoneHeads && (
                  <span aria-hidden="true" className="block text-caption text-text-3 md:hidden">
                    {head[index]}
                  </span>
                )}
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
