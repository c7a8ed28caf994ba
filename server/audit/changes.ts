type Members = Readonly<Record<string, unknown>>

/** Returns the members that differ between two states of an object, for the audit log. */
export function changesBetween(before: Members, after: Members): { before: Members; after: Members } {
  const names = Object.keys(after).filter((name) => !isEqual(before[name], after[name]))
  const pick = (object: Members) => Object.fromEntries(names.map((name) => [name, object[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
