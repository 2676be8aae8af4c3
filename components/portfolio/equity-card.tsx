import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { DirectionValue, Money } from "@/components/format/values";
import { EquityChart } from "@/components/portfolio/equity-chart";
import { buildPositionViewHref } from "@/components/portfolio/position-view";
import { Card } from "@/components/ui/card";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import { Tabs } from "@/components/ui/tabs";
import type { PositionView } from "@/lib/domain/position-list";
import type { EquityCurve } from "@/lib/schemas/portfolio";

type EquityCurveWire = z.input<typeof EquityCurve>;

const ALL_TIME = { title: "All time", period: "since you opened the account" };
const RANGES = [
  { range: "1d", label: "1D", title: "Last day", period: "over the last day" },
  { range: "1w", label: "1W", title: "Last 7 days", period: "over the last 7 days" },
  { range: "1m", label: "1M", title: "Last 30 days", period: "over the last 30 days" },
  { range: "all", label: "All", ...ALL_TIME },
] as const;
/** The chart's table has every eighth sample and the last one. */
const TABLE_STEP = 8;

interface Props {
  curve: EquityCurveWire;
  /** The view of the positions, which stays when the range changes. */
  view: PositionView;
}

export function EquityCard({ curve, view }: Props) {
  const ranged = RANGES.find(({ range }) => range === curve.range);
  const { title, period } = curve.isWhole || !ranged ? ALL_TIME : ranged;
  const points = curve.points.map(({ at, value }) => ({ at: Date.parse(at), value }));
  return (
    <Card
      title="Value over time"
      actions={
        <Tabs
          label="Range"
          items={RANGES.map(({ range, label }) => ({
            href: buildPositionViewHref(view, range),
            label,
            isCurrent: range === curve.range,
          }))}
        />
      }
    >
      <p className="mb-4 text-text-2">
        {title}: <DirectionValue usdc={curve.change} />
        {curve.deposited !== 0 && " · deposits excluded"}
      </p>
      <EquityChart points={points} period={period} change={curve.change} />
      <details className="mt-2 text-small">
        <summary className="inline-flex min-h-11 items-center text-text-2 underline decoration-dotted underline-offset-4 hover:text-text lg:min-h-7">
          Show as table
        </summary>
        <CurveTable curve={curve} />
      </details>
    </Card>
  );
}

function CurveTable({ curve }: { curve: EquityCurveWire }) {
  const last = curve.points.length - 1;
  const rows = curve.points.filter((_, index) => index === last || index % TABLE_STEP === 0);
  return (
    <Table
      caption="Portfolio value over time"
      head={
        <tr>
          <HeadCell>Time</HeadCell>
          <HeadCell isNumeric>Value</HeadCell>
        </tr>
      }
    >
      {rows.map(({ at, value }) => (
        <Row key={at}>
          <Cell>
            <TimeStamp at={at} isRelative={false} />
          </Cell>
          <Cell isNumeric>
            <Money usdc={value} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
