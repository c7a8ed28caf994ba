import { createSetUpCode, createSignInCode } from '../access/sign-in/set-up.ts'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { Entry } from './print-start.ts'

type Context = { db: Db; keyring: Keyring; clock: Clock; dashboardOrigin: string }

/**
 * Prepares a link into the dashboard for the person who starts the service: for the first person, or for the owner of
 * the demo.
 *
 * @param user person who signs in; `null` without a demo
 * @returns `null` if people sign in as usual
 * @see DSH-13
 */
export async function prepareEntry(context: Context, { user }: { user: string | null }): Promise<Entry | null> {
  const linkOf = (code: string) => `${context.dashboardOrigin}/dashboard/set-up#${code}`
  const setUp = await createSetUpCode(context)
  if (setUp !== null) {
    const command = 'npm run dashboard -- set-up'
    return { purpose: 'set_up', link: linkOf(setUp), minutes: 60, command }
  }
  const signIn = user === null ? null : await createSignInCode(context, user)
  if (signIn === null) return null
  return { purpose: 'sign_in', link: linkOf(signIn), minutes: 10, command: `npm run dashboard -- link --user ${user}` }
}
