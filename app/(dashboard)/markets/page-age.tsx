import { getDisplay } from "@/app/_lib/display-settings";
import { formatUpdated } from "@/components/format/times";
import { PageRefresher } from "@/components/markets/page-refresher";

/**
 * Renders a page of market figures again as they age. Without JavaScript, says how old they are.
 *
 * @param at when the figures were current, in milliseconds since the epoch; 0 if parts are missing.
 */
export async function PageAge({ at }: { at: number }) {
  const clock = await getDisplay();
  return (
    <>
      <PageRefresher at={at} />
      <noscript>
        <span className="text-caption text-text-2">
          {at > 0 && <>As of {formatUpdated(at, clock)} · </>}
          <a href="" className="link">
            Reload
          </a>
        </span>
      </noscript>
    </>
  );
}
