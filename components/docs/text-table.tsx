import type { ReactNode } from "react";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

interface Props {
  caption: string;
  head: readonly string[];
  /** The cells by row. Keys must be unique. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A table of sentences. */
export function TextTable({ caption, head, rows }: Props) {
  const titles = (
    <tr>
      {head.map((title) => (
        <HeadCell key={title}>{title}</HeadCell>
      ))}
    </tr>
  );
  return (
    <div className="overflow-hidden rounded-control border border-border bg-surface">
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
    </div>
  );
}
