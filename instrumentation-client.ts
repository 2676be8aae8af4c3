import { announceNavigation } from "@/lib/browser/navigation";

/** Next calls this when a click, a form or the browser's history starts to open another page. */
export function onRouterTransitionStart(url: string): void {
  announceNavigation(url);
}
