import Link from "next/link";
import { shortenId } from "@/components/format/numbers";

/** Names the order that replaced an edited one. */
export function ReplacedBy({ orderId }: { orderId: string | null }) {
  if (orderId === null) return null;
  return (
    <p className="text-text-2">
      You edited this order. It was replaced by{" "}
      <Link href={`/orders/${orderId}`} prefetch={false} className="link font-mono text-caption">
        {shortenId(orderId)}
      </Link>
      .
    </p>
  );
}
