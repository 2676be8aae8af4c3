import { expect, it, vi } from "vitest";
import { toBytes } from "@/lib/api/event-stream";
import type { ServerEvent } from "@/lib/server-events";

/** Yields one comment, then calls `onWait` and waits until the reader leaves. */
async function* waitForLeave(signal: AbortSignal, onWait: () => void): AsyncGenerator<ServerEvent> {
  yield { comment: "head 1" };
  onWait();
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

it("a reader that leaves while the stream waits closes it once", async () => {
  const left = new AbortController();
  const onClose = vi.fn();
  let onWait = () => {};
  const isWaiting = new Promise<void>((resolve) => (onWait = resolve));
  const reader = toBytes(waitForLeave(left.signal, onWait), left, onClose).getReader();
  await reader.read();
  await isWaiting;

  await reader.cancel();

  expect(onClose).toHaveBeenCalledTimes(1);
});
