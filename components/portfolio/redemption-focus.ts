/** The id of a claim's receipt. */
export const RECEIPT_ID = "redemption-receipt";

/** The id of the portfolio's heading. */
export const PORTFOLIO_HEADING_ID = "portfolio-heading";

/** The elements that get the focus when the last claimed or closed position is gone. */
export const REDEMPTION_FALLBACKS = [RECEIPT_ID, PORTFOLIO_HEADING_ID] as const;
