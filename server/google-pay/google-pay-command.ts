import { readFileSync } from 'node:fs'
import type { AccessContext } from '../access/shared/context.ts'
import { OPERATOR } from '../audit/actor.ts'
import type { AuditEntry } from '../audit/audit.ts'
import { recordAudit } from '../audit/audit-queries.ts'
import { audited } from '../audit/audited.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { changeSettings } from '../businesses/change-settings.ts'
import { transaction } from '../db/transaction.ts'
import { type Command, readCommand, UsageError } from '../lib/command.ts'
import { invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { type KeyContext, retireRecipientKey, rotateRecipientKey } from './change-recipient-keys.ts'
import { prepareGooglePay } from './prepare-google-pay.ts'
import { type RecipientKey, readKeyPair, recipientKeyView } from './recipient-key.ts'
import { listGatewayUsers, listRecipientKeys } from './recipient-key-queries.ts'

const USAGE = `Usage: npm run google-pay -- <what> --business ID | --gateway

  on        [--merchant-id ID] [--cryptogram-only]
            Switches Google Pay on for a business: for its own merchant id at Google, or for this service as a gateway.
  off       Switches it off. The keys stay.
  keys      The keys that tokens of Google Pay are encrypted for: id, state, public key.
  rotate    [--private-key FILE]
            Adds a key, which new tokens are encrypted for; the old one works until it is retired. Two are active at
            most. FILE is an existing key in PEM, on P-256 and without a passphrase.
  retire    --key ID
            Retires a key: tokens for it are refused from now on, and its private part is deleted.

--business is for a merchant with an id of its own at Google, --gateway for the keys of this service as a gateway.
Business ids: npm run business -- list`

type Owner = { businessId: string | null }

export interface GooglePayContext extends AccessContext {
  /** Our gateway name at Google; `null` if we are not a gateway. */
  gateway: string | null
}

const VERBS = new Map<string, (context: GooglePayContext, owner: Owner, command: Command) => Promise<string>>([
  ['on', switchOn],
  ['off', switchOff],
  ['keys', keys],
  ['rotate', rotate],
  ['retire', retire],
])

/**
 * Runs `npm run google-pay -- …`.
 *
 * @returns the output, without any secret
 * @throws UsageError; ApiError `validation_failed`, `not_found`, `conflict`
 * @see GPY-10
 */
export async function googlePayCommand(context: GooglePayContext, args: readonly string[]): Promise<string> {
  const options = ['business', 'private-key', 'key', 'merchant-id']
  const command = readCommand(args, { usage: USAGE, options, flags: ['gateway', 'cryptogram-only'] })
  const run = VERBS.get(command.verb)
  if (!run) throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  return run(context, await ownerOf(context, command), command)
}

async function ownerOf({ db }: AccessContext, { flag, optional }: Command): Promise<Owner> {
  const businessId = optional('business')
  if (flag('gateway') === (businessId !== undefined)) throw new UsageError('Name --business or --gateway.', USAGE)
  if (businessId === undefined) return { businessId: null }
  if (isUuid(businessId) && (await findBusiness(db, businessId))) return { businessId }
  throw invalidField('business', `no business has the id ${businessId}. See: npm run business -- list`)
}

async function keys({ db, environment }: AccessContext, { businessId }: Owner): Promise<string> {
  const found = await listRecipientKeys(db, { businessId, environment })
  return [`Keys in ${environment}, newest first:`, ...(found.length > 0 ? found.map(keyText) : ['none'])].join('\n')
}

async function rotate(context: AccessContext, owner: Owner, command: Command): Promise<string> {
  const file = command.optional('private-key')
  const pair = file === undefined ? undefined : readKeyPair(readFileSync(file, 'utf8'))
  if (pair === null) throw invalidField('private-key', 'must be a private key in PEM, on P-256, without a passphrase')
  const key = await change(context, owner, 'google_pay_key.create', (inside) => rotateRecipientKey(inside, owner, pair))
  return keyText(key)
}

async function retire(context: AccessContext, owner: Owner, command: Command): Promise<string> {
  const id = command.required('key')
  if (!isUuid(id)) throw invalidField('key', 'must be the id of a key. See: npm run google-pay -- keys')
  const key = await change(context, owner, 'google_pay_key.retire', (inside) => retireRecipientKey(inside, owner, id))
  return keyText(key)
}

function switchOn(context: GooglePayContext, owner: Owner, { optional, flag }: Command): Promise<string> {
  return switchTo(context, owner, {
    googlePayEnabled: true,
    googlePayMerchantId: optional('merchant-id') || null,
    googlePayCryptogramOnly: flag('cryptogram-only'),
  })
}

function switchOff(context: GooglePayContext, owner: Owner): Promise<string> {
  return switchTo(context, owner, { googlePayEnabled: false })
}

async function switchTo(
  context: GooglePayContext,
  { businessId }: Owner,
  settings: Parameters<typeof changeSettings>[2]['settings'],
): Promise<string> {
  if (businessId === null) throw new UsageError('Name --business.', USAGE)
  const entry = { businessId, actor: OPERATOR, action: 'settings.change' } as const
  const { googlePayEnabled, googlePayMerchantId } = await audited(context, entry, async (tx) => {
    const { business: result } = await changeSettings(tx, businessId, { settings })
    await prepareGooglePay({ ...context, db: tx }, result)
    const after = {
      google_pay_enabled: result.googlePayEnabled,
      google_pay_merchant_id: result.googlePayMerchantId,
      google_pay_cryptogram_only: result.googlePayCryptogramOnly,
    }
    return { result, object: { type: 'business', id: businessId }, after }
  })
  if (!googlePayEnabled) return 'Google Pay is off.'
  return `Google Pay is on, for ${googlePayMerchantId === null ? `the gateway ${context.gateway}` : `merchant ${googlePayMerchantId}`}.`
}

/**
 * Makes a change with its entry in the audit log of the business (DSH-15); for keys of the gateway, in the logs of all
 * businesses that use them.
 */
function change(
  context: AccessContext,
  { businessId }: Owner,
  action: AuditEntry['action'],
  work: (context: KeyContext) => Promise<RecipientKey>,
): Promise<RecipientKey> {
  return transaction(context.db, async (tx) => {
    const result = await work({ ...context, db: tx })
    const users = businessId === null ? await listGatewayUsers(tx) : [businessId]
    const object = { type: 'google_pay_key', id: result.id }
    const made = {
      actor: OPERATOR,
      action,
      object,
      before: null,
      after: recipientKeyView(result),
      outcome: 'done',
    } as const
    for (const user of users) await recordAudit(tx, { ...made, businessId: user }, context.clock.now())
    return result
  })
}

function keyText({ id, publicKey, createdAt, retiredAt }: RecipientKey): string {
  const state = retiredAt ? `retired ${retiredAt.toISOString()}` : 'active'
  return `${id}  ${state}, created ${createdAt.toISOString()}\n    ${publicKey}`
}
