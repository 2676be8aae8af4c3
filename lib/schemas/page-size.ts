/** The default number of rows per page. */
export const PAGE_SIZE = 100;
/** The most rows of one response. */
export const MAX_ROWS = 1_000;
