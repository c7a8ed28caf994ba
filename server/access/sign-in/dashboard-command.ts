import { OPERATOR } from '../../audit/actor.ts'
import { transaction } from '../../db/transaction.ts'
import { type Command, readCommand, UsageError } from '../../lib/command.ts'
import { invalidField } from '../../lib/errors.ts'
import { resetFactorsNow } from '../factors/reset-factors.ts'
import { auditPerson } from '../people/audit-person.ts'
import type { NotifyPerson } from '../people/person-notice.ts'
import { findPersonByEmail } from '../people/person-queries.ts'
import type { AccessContext } from '../shared/context.ts'
import { mailboxLink } from '../shared/mailbox-key.ts'
import { createSetUpCode, createSignInCode } from './set-up.ts'

const USAGE = `Usage: npm run dashboard -- <what>

  set-up         A link for the first person here, good for an hour. Only while nobody signs in yet.
  link           --user EMAIL
                 A link that signs a person in without their password, once, within ten minutes. Their second factor is
                 asked for as usual.
  reset-factors  --user EMAIL
                 For a person who lost everything they sign in with beside the password, and whom no other owner or admin
                 can help: removes authenticator app, passkeys and recovery codes, and ends all sessions, at once.
  mailbox        In staging: the mailbox with all letters, also those to people of the dashboard. The link works on this
                 machine.

Example: npm run dashboard -- link --user ana@shop.example`

interface Context extends AccessContext {
  dashboardOrigin: string
  /** URL of the dashboard's host, where the mailbox is. */
  dashboardUrl: string
  notifyPerson: NotifyPerson
}

/**
 * Runs `npm run dashboard -- …`.
 *
 * @returns the output
 * @throws UsageError; ApiError `validation_failed`
 * @see DSH-13, DSH-36
 */
export async function dashboardCommand(context: Context, args: readonly string[]): Promise<string> {
  const command = readCommand(args, { usage: USAGE, options: ['user'] })
  const linkOf = (code: string) => `${context.dashboardOrigin}/dashboard/set-up#${code}`
  switch (command.verb) {
    case 'set-up': {
      const code = await createSetUpCode(context)
      if (code === null) throw new UsageError('People sign in here already. Use: npm run dashboard -- link', USAGE)
      return linkOf(code)
    }
    case 'link':
      return linkOf(await newLink(context, command))
    case 'reset-factors':
      return reset(context, command)
    case 'mailbox':
      if (context.environment === 'production') throw new UsageError('Production has no mailbox', USAGE)
      return mailboxLink(context.keyring, context.dashboardUrl)
    default:
      throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  }
}

async function newLink(context: Context, command: Command): Promise<string> {
  const { id: userId, email } = await personOf(context, command)
  return transaction(context.db, async (tx) => {
    const code = await createSignInCode({ ...context, db: tx }, email)
    if (code === null) throw unknownPerson()
    await auditPerson(tx, { userId, actor: OPERATOR, action: 'sign_in_link.create' }, context.clock.now())
    return code
  })
}

async function reset(context: Context, command: Command): Promise<string> {
  const { id: userId, email } = await personOf(context, command)
  await transaction(context.db, (tx) => resetFactorsNow(context, tx, { userId, actor: OPERATOR }))
  return `${email} signs in with the password alone now, and adds a second factor again.`
}

async function personOf({ db }: Context, { required }: Command) {
  const person = await findPersonByEmail(db, required('user'))
  if (!person) throw unknownPerson()
  return person
}

const unknownPerson = () => invalidField('user', 'nobody signs in with this e-mail')
