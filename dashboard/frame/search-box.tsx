/** Hidden until the interface has a search. */
export function SearchBox() {
  return null
}
