/** The number of concurrent inquiries. */
const GROUP = 8

/** Processes the items in order, a few at a time. */
export async function inGroups<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP) {
    await Promise.all(items.slice(start, start + GROUP).map(work))
  }
}
