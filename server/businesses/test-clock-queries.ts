import type { Db } from '../db/connection.ts'

/**
 * Moves a test clock if it is where the caller left it. If two processes advance the same clock, only one of them goes
 * on.
 */
export async function moveTestClock(
  db: Db,
  businessId: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('business')
    .set({ clock_offset_seconds: to })
    .where('id', '=', businessId)
    .where('clock_offset_seconds', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
