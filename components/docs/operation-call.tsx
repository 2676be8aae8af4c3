import type { OperationDoc } from "@/components/docs/operation-doc";
import { Badge, type BadgeTone } from "@/components/ui/badge";

const TONES: Record<OperationDoc["method"], BadgeTone> = {
  GET: "info",
  POST: "neutral",
  PATCH: "neutral",
  DELETE: "danger",
};

/** The method and path of an operation. */
export function OperationCall({ method, path }: Pick<OperationDoc, "method" | "path">) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={TONES[method]}>
        <span className="font-mono">{method}</span>
      </Badge>
      <code className="font-mono text-small break-all">{path}</code>
    </span>
  );
}
