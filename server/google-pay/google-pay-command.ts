import { readFileSync } from 'node:fs'
import type { AccessContext } from '../access/shared/context.ts'
import { OPERATOR } from '../audit/actor.ts'
import { audited } from '../audit/audited.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { transaction } from '../db/transaction.ts'
import { type Command, readCommand, UsageError } from '../lib/command.ts'
import { invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { type KeyContext, retireRecipientKey, rotateRecipientKey } from './change-recipient-keys.ts'
import { type RecipientKey, readKeyPair, recipientKeyView } from './recipient-key.ts'
import { listRecipientKeys } from './recipient-key-queries.ts'

const USAGE = `Usage: npm run google-pay -- <what> --business ID | --gateway

  keys      The keys that tokens of Google Pay are encrypted for: id, state, public key.
  rotate    [--private-key FILE]
            Adds a key, which new tokens are encrypted for; the old one works until it is retired. Two are active at
            most. FILE is an existing key in PEM, on P-256 and without a passphrase.
  retire    --key ID
            Retires a key: tokens for it are refused from now on, and its private part is deleted.

--business is for a merchant with an id of its own at Google, --gateway for the keys of this service as a gateway.
Business ids: npm run business -- list`

type Owner = { businessId: string | null }

const VERBS = new Map<string, (context: AccessContext, owner: Owner, command: Command) => Promise<string>>([
  ['keys', keys],
  ['rotate', rotate],
  ['retire', retire],
])

/**
 * `npm run google-pay -- …`
 *
 * @returns the output, without a secret
 * @throws UsageError; ApiError `validation_failed`, `not_found`, `conflict`
 * @see GPY-10
 */
export async function googlePayCommand(context: AccessContext, args: readonly string[]): Promise<string> {
  const options = ['business', 'private-key', 'key']
  const command = readCommand(args, { usage: USAGE, options, flags: ['gateway'] })
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

/** With its entry in the audit log of the business (DSH-15). The gateway's keys are of no business. */
function change(
  context: AccessContext,
  { businessId }: Owner,
  action: string,
  work: (context: KeyContext) => Promise<RecipientKey>,
): Promise<RecipientKey> {
  return transaction(context.db, async (tx) => {
    const inside = { ...context, db: tx }
    if (businessId === null) return work(inside)
    return audited(inside, { businessId, actor: OPERATOR, action }, async () => {
      const result = await work(inside)
      return { result, object: { type: 'google_pay_key', id: result.id }, after: recipientKeyView(result) }
    })
  })
}

function keyText({ id, publicKey, createdAt, retiredAt }: RecipientKey): string {
  const state = retiredAt ? `retired ${retiredAt.toISOString()}` : 'active'
  return `${id}  ${state}, created ${createdAt.toISOString()}\n    ${publicKey}`
}
