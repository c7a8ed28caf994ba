/**
 * Returns the path of one object: `/customers/0199…`. An id with other characters, such as `..`, could name a different
 * path.
 *
 * @throws TypeError if the text cannot be an id
 */
export function pathOf(collection: string, id: string, below = ''): string {
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new TypeError(`${collection}: pass the id of one object`)
  return `/${collection}/${id}${below}`
}
