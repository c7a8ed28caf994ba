import { useState } from 'react'
import { CallError } from './call-error.ts'

interface Edited<Item, Draft> {
  /** State from which the edit starts: the stored one, as soon as a conflict has reported it. */
  base: Item
  draft: Draft
  setDraft(draft: Draft): void
  /**
   * Fields that somebody else has changed since the edit began: `null` if nothing was changed, empty if only other
   * fields were.
   */
  changed: (keyof Draft)[] | null
  /** Performs the work. After a conflict the next attempt is based on the stored state; the refusal is rethrown. */
  commit<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * An edit of an object that has a version (DSH-4): input is preserved, and untouched fields follow other people's
 * changes.
 */
export function useEdited<Item extends { version: string }, Draft extends object>(
  given: Item,
  draftOf: (item: Item) => Draft,
): Edited<Item, Draft> {
  const [first] = useState(given)
  const [base, setBase] = useState(given)
  const [draft, setDraft] = useState(() => draftOf(given))
  async function commit<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const current = currentOf<Item>(error)
      if (current) {
        const own = differing(draftOf(base), draft).map((name) => [name, draft[name]])
        setDraft({ ...draftOf(current), ...Object.fromEntries(own) })
        setBase(current)
      }
      throw error
    }
  }
  return { base, draft, setDraft, changed: base === first ? null : differing(draftOf(first), draftOf(base)), commit }
}

/** Returns the stored state that a conflict reports; `null` for any other refusal. */
export const currentOf = <Item>(error: unknown): Item | null =>
  error instanceof CallError && error.code === 'conflict' ? ((error.extra.current as Item | undefined) ?? null) : null

const differing = <Draft extends object>(one: Draft, other: Draft): (keyof Draft)[] =>
  (Object.keys(one) as (keyof Draft)[]).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
