import "server-only";
import { errorFields, log } from "@/lib/log";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { remoteVenue } from "@/lib/venue";
import type { StreamNews } from "@/lib/venue/trader";

/**
 * One stream per account that waits for something, so that what the venue does is seen at once and
 * not with the next tick. Nothing depends on them: the reconciler looks anyway.
 */
export class UserStreams {
  private readonly open = new Map<string, () => void>();

  constructor(private readonly onNews: (userId: string, news: StreamNews) => void) {}

  /** Opens the streams of these accounts and closes all others. */
  async follow(userIds: readonly string[]): Promise<void> {
    const wanted = new Set(userIds);
    for (const [userId, close] of this.open) {
      if (wanted.has(userId)) continue;
      close();
      this.open.delete(userId);
    }
    for (const userId of wanted) {
      if (this.open.has(userId)) continue;
      try {
        const trader = await requireTrader(userId);
        const close = remoteVenue().openUserStream(trader, (news) => this.onNews(userId, news));
        this.open.set(userId, close);
      } catch (error) {
        log.warn("stream not opened", { userId, ...errorFields(error) });
      }
    }
  }

  closeAll(): void {
    for (const close of this.open.values()) close();
    this.open.clear();
  }
}
