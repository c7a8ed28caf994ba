type Places = string | readonly string[] | null | undefined

/**
 * Whether a change sends data or people to a place that nothing went to before: with another one's session, it would be
 * the way to have them all. A place that is taken away, or stays, needs no proof.
 *
 * @param fields of the change, each with a URL or addresses
 * @returns why the person must prove again who they are; `null`: they need not
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
