import "server-only";

/** Rows per page where the caller does not say. */
export const PAGE_SIZE = 100;
/** The most rows of one answer. */
export const MAX_ROWS = 1_000;
