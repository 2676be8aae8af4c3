import { eventStream } from "@/lib/api/event-stream";
import { streamMarket } from "@/lib/markets/stream-market";

export const dynamic = "force-dynamic";

export const GET = eventStream(streamMarket);
