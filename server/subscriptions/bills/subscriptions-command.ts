import { OPERATOR } from '../../audit/actor.ts'
import { audited } from '../../audit/audited.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { type Command, readCommand, UsageError } from '../../lib/command.ts'
import { invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { LifecycleServices } from '../lifecycle/change-subscription.ts'
import { type HeldSubscription, listHeld } from './bill-queries.ts'
import { type MissedBills, releaseCatchUp } from './release-catch-up.ts'

const USAGE = `Usage: npm run subscriptions -- <what>

  held      Subscriptions whose missed bills wait for a decision, because the service was down for long.
  release   --business ID --subscription ID --missed bill|skip
            bill: every missed date is charged, one a minute.
            skip: periods that are over are not charged; the running one is.`

const GRAMMAR = { usage: USAGE, options: ['business', 'subscription', 'missed'] }
const LISTED = 200

/**
 * Runs `npm run subscriptions -- …`.
 *
 * @throws UsageError; ApiError `validation_failed`, `not_found`, `conflict`
 */
export async function subscriptionsCommand(services: LifecycleServices, args: readonly string[]): Promise<string> {
  const command = readCommand(args, GRAMMAR)
  switch (command.verb) {
    case 'held':
      return (await listHeld(services.db, LISTED)).map(line).join('\n') || 'No missed bills are held.'
    case 'release':
      return release(services, command)
    default:
      throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  }
}

async function release(services: LifecycleServices, command: Command): Promise<string> {
  const [businessId, id] = [idOf(command, 'business'), idOf(command, 'subscription')]
  const missed = command.required('missed')
  if (!isMissedBills(missed)) throw invalidField('missed', 'must be bill or skip')
  const business = await findBusiness(services.db, businessId)
  if (!business) throw invalidField('business', 'must be an id from `npm run business -- list`')
  const entry = { businessId, actor: OPERATOR, action: 'subscription.release' } as const
  const { subscription } = await audited(services, entry, async (tx) => {
    const result = await releaseCatchUp({ ...services, db: tx }, { business, id, missed })
    return { result, object: { type: 'subscription', id }, after: { missed } }
  })
  const { nextBillingDate } = subscription
  return `${id}  released (${missed})  next date ${nextBillingDate ?? '–'}`
}

const isMissedBills = (word: string): word is MissedBills => word === 'bill' || word === 'skip'

function idOf(command: Command, option: string): string {
  const id = command.required(option)
  if (!isUuid(id)) throw invalidField(option, 'must be an id')
  return id
}

const line = ({ businessId, id, nextBillingDate, heldAt }: HeldSubscription) =>
  `${businessId}  ${id}  missed since ${nextBillingDate}  held on ${heldAt.toISOString()}`
