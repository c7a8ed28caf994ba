/** How many inquiries run at once. */
const GROUP = 8

/** A few at a time, in their order. */
export async function inGroups<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += GROUP) {
    await Promise.all(items.slice(start, start + GROUP).map(work))
  }
}
