/** The hidden form field with the mode that the page shows. */
export const PAGE_MODE_FIELD = "shownMode";
