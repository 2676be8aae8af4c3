/** A list of the service: iterate over all its items, or read one page. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** Reads the page that the query asks for. It has the cursor of the next one. */
  page(): Promise<Page>;
}

/**
 * Makes a list from a function that reads a page.
 *
 * @param readPage gets the cursor of the page, and undefined for the one that the query asks for.
 */
export function makeList<Item, Page extends { nextCursor: string | null }>(
  readPage: (nextCursor?: string) => Promise<Page>,
  getItems: (page: Page) => readonly Item[],
): List<Item, Page> {
  return {
    page: () => readPage(),
    async *[Symbol.asyncIterator]() {
      let page = await readPage();
      yield* getItems(page);
      while (page.nextCursor !== null) {
        page = await readPage(page.nextCursor);
        yield* getItems(page);
      }
    },
  };
}
