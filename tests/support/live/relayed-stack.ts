// Live trading with the built product, whose wallet transactions the venue's relayer executes. The test moves
// the clock of both services.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "@/bench/services";
import { BUILDER_ENVIRONMENT, SANDBOX_BUILDER } from "@/tests/support/live/builder";
import {
  type LiveEnvironment,
  type LiveOptions,
  startLiveEnvironment,
} from "@/tests/support/live/product-stack";
import { ROOT } from "@/tests/support/product/product";

/** The clock of the services of a site, as far as it is ahead of the real one. */
export class MovedClock {
  readonly file: string;
  aheadMs = 0;

  constructor({ folder }: Site) {
    this.file = join(folder, "clock");
  }

  move(ms: number): void {
    this.aheadMs += ms;
    writeFileSync(this.file, String(this.aheadMs));
  }
}

interface RelayedOptions extends LiveOptions {
  clock: MovedClock;
  /** How long the chain takes to execute a transaction. */
  relayerMs: number;
}

/** Starts a live environment with a relayer that has no quota. */
export function startRelayedEnvironment(
  site: Site,
  count: number,
  { clock, relayerMs, both = {}, venue = {}, ...options }: RelayedOptions,
): Promise<LiveEnvironment> {
  clock.move(0);
  return startLiveEnvironment(site, count, {
    ...options,
    both: {
      NODE_OPTIONS: `--import=${ROOT}tests/support/product/moved-clock.mjs`,
      MOVED_CLOCK_FILE: clock.file,
      ...BUILDER_ENVIRONMENT,
      ...both,
    },
    venue: {
      SANDBOX_BUILDER_KEY: SANDBOX_BUILDER,
      SANDBOX_RELAYER_MS: String(relayerMs),
      SANDBOX_RELAYER_QUOTA: "0",
      ...venue,
    },
  });
}
