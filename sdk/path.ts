/**
 * The path of one object: `/customers/0199…`. An id of other characters could name another path: `..`, or none at all.
 *
 * @throws TypeError when it cannot be an id
 */
export function pathOf(collection: string, id: string, below = ''): string {
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new TypeError(`${collection}: give the id of one`)
  return `/${collection}/${id}${below}`
}
