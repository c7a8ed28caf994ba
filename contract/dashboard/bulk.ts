import Type, { type Static } from 'typebox'
import { Line, Uuid } from '../formats.ts'

// One call that changes several objects of a list, each independently (DSH-37).

/** Maximum number of objects in one call; no page of a list has more rows. */
export const BULK_MAX = 100

/** An object, with the version that the person saw. */
const BulkItem = Type.Object({ id: Uuid(), version: Line(64) })

/** Archives several objects, or restores them. */
export const BulkArchive = Type.Object({
  active: Type.Boolean(),
  items: Type.Array(BulkItem, { minItems: 1, maxItems: BULK_MAX }),
})
export type BulkArchive = Static<typeof BulkArchive>

/** Why an object was not changed. */
export interface BulkFailure {
  id: string
  code: string
  message: string
}

/** Objects that are not in `done` are unchanged. */
export interface BulkResult<Done extends { id: string }> {
  object: 'bulk_result'
  done: Done[]
  failed: BulkFailure[]
}
