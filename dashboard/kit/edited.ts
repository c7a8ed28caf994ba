import { useState } from 'react'
import { CallError } from './call-error.ts'

interface Edited<Item, Draft> {
  /** What the edit begins from: as it is now, once a conflict has said so. */
  base: Item
  draft: Draft
  setDraft(draft: Draft): void
  /** What somebody else has changed since the edit began: `null` for nothing, empty for what is not edited here. */
  changed: (keyof Draft)[] | null
  /** Does the work. After a conflict the next try is about what is stored now, and the refusal goes on. */
  commit<Result>(work: () => Promise<Result>): Promise<Result>
}

/** An edit of what has a version (DSH-4): what is typed stays, and what was not touched follows the others. */
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

/** What a conflict says that is stored now; `null` for any other refusal. */
export const currentOf = <Item>(error: unknown): Item | null =>
  error instanceof CallError && error.code === 'conflict' ? ((error.extra.current as Item | undefined) ?? null) : null

const differing = <Draft extends object>(one: Draft, other: Draft): (keyof Draft)[] =>
  (Object.keys(one) as (keyof Draft)[]).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
