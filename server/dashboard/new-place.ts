type Places = string | readonly string[] | null | undefined

/**
 * Checks whether a change sends data or people to a place that received nothing before: somebody with another person's
 * session could divert everything there. Removing or keeping a place needs no proof.
 *
 * @param fields fields of the change, each with a URL or addresses
 * @returns why the person must prove again who they are; `null` if they need not
 * @see DSH-94
 */
export function newPlace<Field extends string>(
  fields: readonly Field[],
  { before, sent }: Record<'before' | 'sent', Partial<Record<Field, Places>>>,
): 'new_place' | null {
  const isNew = (field: Field) => placesIn(sent[field]).some((place) => !placesIn(before[field]).includes(place))
  return fields.some(isNew) ? 'new_place' : null
}

const placesIn = (places: Places): readonly string[] => [places ?? []].flat()
