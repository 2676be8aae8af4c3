import { eventStream } from "@/lib/http/event-stream";
import { streamMarket } from "@/lib/services/stream/stream-market";

export const dynamic = "force-dynamic";

export const GET = eventStream(streamMarket);
