import { Badge, type BadgeTone } from "@/components/ui/badge";

const TONES: Record<"GET" | "POST" | "DELETE", BadgeTone> = {
  GET: "info",
  POST: "neutral",
  DELETE: "danger",
};

export function MethodBadge({ method }: { method: keyof typeof TONES }) {
  return (
    <Badge tone={TONES[method]}>
      <span className="font-mono">{method}</span>
    </Badge>
  );
}
