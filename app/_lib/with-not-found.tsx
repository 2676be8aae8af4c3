import "server-only";
import type { ComponentType, ReactNode } from "react";
import { markNotFound } from "@/lib/page-response";

/**
 * Returns a page that renders `NotFound` with status 404 where `page` calls `notFound()`. Next alone sends
 * an empty body, which its scripts fill in the browser: https://github.com/vercel/next.js/issues/62228.
 * Navigations inside the dashboard, and hosts without Ante's server, still leave it to Next.
 */
export function withNotFound<Props>(
  page: (props: Props) => Promise<ReactNode>,
  NotFound: ComponentType,
): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    try {
      return await page(props);
    } catch (error) {
      if (!isNotFound(error) || !markNotFound()) throw error;
      return <NotFound />;
    }
  };
}

/** Next exports no check of the error that `notFound()` throws. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && "digest" in error && error.digest === NOT_FOUND_DIGEST;
}

const NOT_FOUND_DIGEST = "NEXT_HTTP_ERROR_FALLBACK;404";
