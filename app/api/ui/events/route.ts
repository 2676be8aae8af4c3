import { eventStream } from "@/lib/api/event-stream";
import { streamSessionEvents } from "@/lib/events/stream-session-events";

export const dynamic = "force-dynamic";

export const GET = eventStream(streamSessionEvents);
