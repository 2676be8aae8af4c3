"use client";

import { Fragment } from "react";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price } from "@/components/format/values";
import { CancelButton } from "@/components/orders/cancel-button";
import { DetailsLink, followRow } from "@/components/orders/details-link";
import { Distance } from "@/components/orders/distance";
import { EditInRow } from "@/components/orders/edit-in-row";
import { EditLink } from "@/components/orders/edit-link";
import { FilledBar } from "@/components/orders/filled-bar";
import { CancelGroup, GroupTitle } from "@/components/orders/group-heading";
import type { OrderGroup } from "@/components/orders/group-orders";
import {
  CANCEL_FORM,
  describeOpenOrder,
  type Editing,
  HEADING_ID,
  type OpenOrderRows,
} from "@/components/orders/open-order-row";
import { ExternalBadge, OrderStatusBadge } from "@/components/orders/order-status";
import {
  FilledOfOrdered,
  OrderOptions,
  OrderTerms,
  SideLabel,
} from "@/components/orders/order-words";
import { Badge } from "@/components/ui/badge";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";

/** Below the market's heading, a row begins with its side. */
const COLUMNS = { alone: 10, inGroup: 9 };

/** Open orders as a table, on screens from 768 px on. */
export function OpenOrderTable(rows: OpenOrderRows) {
  const { orders, groups, askToCancel, canceling, chosen, choose, editing, showDetails } = rows;
  const head = (
    <tr>
      <HeadCell>
        <CheckAll label="Select all orders" {...{ orders, chosen, choose }} />
      </HeadCell>
      <HeadCell>{groups ? "Side" : "Market"}</HeadCell>
      {!groups && <HeadCell>Side</HeadCell>}
      <HeadCell isNumeric>Limit</HeadCell>
      <HeadCell isNumeric>Best price</HeadCell>
      <HeadCell isNumeric>Distance</HeadCell>
      <HeadCell isNumeric>Filled</HeadCell>
      <HeadCell isNumeric>Open value</HeadCell>
      <HeadCell isNumeric>Placed</HeadCell>
      <HeadCell>
        <span className="sr-only">Edit or cancel</span>
      </HeadCell>
    </tr>
  );
  const renderRow = (order: OpenOrderWire) => (
    <Fragment key={order.id}>
      <OrderRow
        order={order}
        isInGroup={groups !== null}
        isCanceling={canceling.ids.has(order.id)}
        problem={canceling.problems.get(order.id) ?? null}
        isChosen={chosen.has(order.id)}
        onChoose={(isChosen) => choose([order.id], isChosen)}
        editing={editing}
        showDetails={showDetails}
      />
      {editing.id === order.id && (
        <tr className="bg-surface-2">
          <Cell />
          <Cell colSpan={COLUMNS[groups ? "inGroup" : "alone"] - 1}>
            <EditInRow
              order={order}
              hasLeft={editing.hasLeft}
              action={editing.action}
              onEdited={(edited) => editing.finish(order, edited)}
              onLeave={editing.leave}
            />
          </Cell>
        </tr>
      )}
    </Fragment>
  );
  return (
    <div onClick={(event) => followRow(event.target)}>
      <Table caption="Open orders" head={head} hasCards hasGroups={groups !== null}>
        {groups
          ? groups.map((group) => (
              <tbody key={group.marketId}>
                <GroupRow group={group} onAsk={askToCancel} {...{ chosen, choose }} />
                {group.orders.map(renderRow)}
              </tbody>
            ))
          : orders.map(renderRow)}
      </Table>
    </div>
  );
}

interface GroupRowProps extends Pick<OpenOrderRows, "chosen" | "choose"> {
  group: OrderGroup;
  onAsk: (group: OrderGroup) => void;
}

/** The heading row of a market's orders. */
function GroupRow({ group, onAsk, chosen, choose }: GroupRowProps) {
  return (
    <tr className="border-t border-border bg-surface-2">
      <Cell>
        <CheckAll
          label={`Select all orders in ${group.title}`}
          orders={group.orders}
          {...{ chosen, choose }}
        />
      </Cell>
      <th scope="rowgroup" colSpan={COLUMNS.inGroup - 2} className="h-11 px-3 py-1.5">
        <GroupTitle group={group} />
      </th>
      <Cell isNumeric isPinned>
        <CancelGroup group={group} onAsk={onAsk} />
      </Cell>
    </tr>
  );
}

interface RowProps {
  order: OpenOrderWire;
  /** Whether the market's heading is above it. */
  isInGroup: boolean;
  isCanceling: boolean;
  problem: string | null;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  editing: Editing;
  showDetails: (orderId: string) => void;
}

function OrderRow({
  order,
  isInGroup,
  isCanceling,
  problem,
  isChosen,
  onChoose,
  editing,
  showDetails,
}: RowProps) {
  const name = describeOpenOrder(order);
  const side = <SideLabel action={order.action} outcome={order.outcome} />;
  return (
    <Row>
      <Cell>
        {order.isLive && (
          <Check
            label={`Select ${name}`}
            value={order.id}
            isChecked={isChosen}
            onChange={onChoose}
          />
        )}
      </Cell>
      <Cell isRowHeader>
        <div className="flex min-w-48 flex-col gap-1">
          <DetailsLink
            orderId={order.id}
            title={order.marketTitle}
            show={showDetails}
            {...(isInGroup ? { children: side } : { iconUrl: order.iconUrl })}
          />
          <OrderOptions order={order} />
          <State order={order} isCanceling={isCanceling} problem={problem} />
        </div>
      </Cell>
      {!isInGroup && <Cell>{side}</Cell>}
      <Cell isNumeric>
        <OrderTerms order={order} />
      </Cell>
      <Cell isNumeric>
        <Price price={order.marketPrice} tickSize={order.tickSize} />
      </Cell>
      <Cell isNumeric>
        <Distance order={order} />
      </Cell>
      <Cell isNumeric>
        {order.shares === null ? (
          <FilledOfOrdered order={order} />
        ) : (
          <FilledBar filled={order.filledShares} of={order.shares} />
        )}
      </Cell>
      <Cell isNumeric>
        <Money usdc={order.openValue} />
      </Cell>
      <Cell isNumeric>
        <TimeStamp at={order.createdAt} isRelative="always" />
      </Cell>
      <Cell isNumeric isPinned>
        <span className="inline-flex gap-2">
          <EditLink order={order} of={name} editing={editing} />
          {order.isLive && <CancelButton orderId={order.id} of={name} isCanceling={isCanceling} />}
        </span>
      </Cell>
    </Row>
  );
}

/** The order's state, unless it is simply open, and why its cancel failed. */
function State({
  order,
  isCanceling,
  problem,
}: Pick<RowProps, "order" | "isCanceling" | "problem">) {
  return (
    <>
      {isCanceling ? (
        <span>
          <Badge tone="warn">Canceling…</Badge>
        </span>
      ) : (
        order.status !== "open" && (
          <span>
            <OrderStatusBadge status={order.status} />
          </span>
        )
      )}
      {order.origin === "external" && (
        <span>
          <ExternalBadge />
        </span>
      )}
      {problem !== null && (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      )}
    </>
  );
}

interface CheckAllProps extends Pick<OpenOrderRows, "orders" | "chosen" | "choose"> {
  label: string;
}

/** Selects all of these orders that can be canceled. */
function CheckAll({ label, orders, chosen, choose }: CheckAllProps) {
  const ids = orders.filter((order) => order.isLive).map(({ id }) => id);
  return (
    <Check
      label={label}
      isChecked={ids.length > 0 && ids.every((id) => chosen.has(id))}
      onChange={(isChosen) => choose(ids, isChosen)}
    />
  );
}

interface CheckProps {
  label: string;
  /** The id of the order that it selects. Without one, the form ignores the box. */
  value?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Check({ label, value, isChecked, onChange }: CheckProps) {
  const kind = value === undefined ? "select-all" : "select";
  const handover = useFocusHandover({ kind, fallbacks: [HEADING_ID] });
  return (
    <label className="grid size-6 place-items-center">
      <span className="sr-only">{label}</span>
      <input
        {...handover}
        type="checkbox"
        form={CANCEL_FORM}
        {...(value === undefined ? {} : { name: "order", value })}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-(--ink)"
      />
    </label>
  );
}
