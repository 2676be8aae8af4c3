/** Reads the first items of a list, and no page more than they need. */
export async function takeFirst<Item>(list: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const items: Item[] = [];
  if (count === 0) return items;
  for await (const item of list) {
    items.push(item);
    if (items.length >= count) break;
  }
  return items;
}
