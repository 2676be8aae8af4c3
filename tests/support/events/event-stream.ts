import { requestApi } from "@/tests/support/api/call-api";
import { EventStreamReader } from "@/tests/support/events/event-stream-reader";

/** Opens the stream of a key's account. */
export async function openStream(
  key: string,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventStreamReader> {
  return new EventStreamReader(
    await requestApi("GET", `/v1/events/stream${query}`, { key, headers }),
  );
}
