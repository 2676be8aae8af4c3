import "server-only";
import type { StreamNews } from "@/lib/venue/trader";

/** The venue tells of one event in several frames, and of a burst of orders in many. */
const GATHER_MS = 200;

interface Pending {
  timer: NodeJS.Timeout | null;
  /** The look that is under way. */
  underWay: Promise<void> | null;
  /** What was told since the last look began. */
  news: StreamNews[];
}

/**
 * Turns what the venue's streams tell into looks: what comes within a moment is one look, and what
 * comes while one is under way makes another one after it. No hint is lost, and however many there
 * are, there is one look a moment.
 */
export class Hints {
  private readonly pending = new Map<string, Pending>();
  private isStopped = false;

  /** @param look never throws. */
  constructor(private readonly look: (userId: string, news: StreamNews[]) => Promise<void>) {}

  take(userId: string, news: StreamNews): void {
    if (this.isStopped) return;
    const known = this.pending.get(userId);
    if (known) known.news.push(news);
    else this.gather(userId, [news]);
  }

  /** Takes no more hints, and waits for the looks that are under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const all = [...this.pending.values()];
    for (const { timer } of all) if (timer) clearTimeout(timer);
    await Promise.all(all.map(({ underWay }) => underWay));
  }

  private gather(userId: string, news: StreamNews[]): void {
    const pending: Pending = { timer: null, underWay: null, news };
    this.pending.set(userId, pending);
    pending.timer = setTimeout(() => {
      pending.timer = null;
      pending.underWay = this.look(userId, pending.news.splice(0)).finally(() => {
        this.pending.delete(userId);
        if (pending.news.length > 0 && !this.isStopped) this.gather(userId, pending.news);
      });
    }, GATHER_MS);
    pending.timer.unref();
  }
}
