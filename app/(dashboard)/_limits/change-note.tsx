import type { ReactNode } from "react";
import { parseCount } from "@/app/_lib/search-params";
import { describeCanceled } from "@/components/orders/cancel-report";
import { Callout } from "@/components/ui/callout";

interface Props {
  /** The address of the page after the change. */
  query: URLSearchParams;
  /** The subject of the sentence, such as "The key". */
  what: string;
  isFrozen: boolean;
}

/** The result of a change of limits, of a freeze or of a thaw, from the URL. */
export function ChangeNote({ query, what, isFrozen }: Props) {
  switch (query.get("done") ?? query.get("saved")) {
    case "limits":
      return <Note>Limits saved. They apply to the next order.</Note>;
    case "thawed":
      return <Note>{what} is thawed and can trade again. Canceled orders stay canceled.</Note>;
    case "frozen":
      return isFrozen ? <FrozenNote query={query} what={what} /> : null;
    default:
      return null;
  }
}

/** Says how many orders the freeze canceled, because others may have filled before. */
function FrozenNote({ query, what }: Omit<Props, "isFrozen">) {
  const [canceled, late, waiting] = ["canceled", "late", "waiting"].map((name) =>
    parseCount(query, name),
  );
  if (canceled == null || late == null || waiting == null) return null;
  const sentences = [
    `${what} is frozen.`,
    ...(canceled + late > 0 ? [describeCanceled(canceled, late)] : []),
    ...(waiting > 0 ? [describeWaiting(waiting)] : []),
  ];
  if (sentences.length === 1) sentences.push("No orders were open.");
  return <Note tone={late + waiting > 0 ? "warn" : "success"}>{sentences.join(" ")}</Note>;
}

const describeWaiting = (count: number) =>
  count === 1
    ? "One isn’t canceled yet. Ante keeps trying."
    : `${count} aren’t canceled yet. Ante keeps trying.`;

interface NoteProps {
  tone?: "success" | "warn";
  children: ReactNode;
}

function Note({ tone = "success", children }: NoteProps) {
  return (
    <Callout tone={tone} role="status">
      {children}
    </Callout>
  );
}
