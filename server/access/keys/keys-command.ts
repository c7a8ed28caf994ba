import { SCOPES } from '../../../contract/scopes.ts'
import { OPERATOR } from '../../audit/actor.ts'
import { audited } from '../../audit/audited.ts'
import { findBusiness, listBusinesses } from '../../businesses/business-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { type Command, readCommand, UsageError } from '../../lib/command.ts'
import { invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { AccessContext } from '../shared/context.ts'
import { type ApiKey, auditedKey } from './api-key.ts'
import { listApiKeys } from './api-key-queries.ts'
import { createApiKey } from './create-api-key.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'

const OVERLAP_HOURS = '24'

const USAGE = `Usage: npm run keys -- <what>

  create   [--business ID] --name TEXT --allow-ip IP [--allow-ip IP] [--scope SCOPE …]
           Creates a secret key for the merchant API and prints it; it is not shown again. The key works from
           these one or two addresses only. --business may be omitted when there is only one. Without --scope
           it may do everything.
  rotate   --key ID [--overlap-hours N] [--allow-ip IP [--allow-ip IP]]
           Creates a new key with the same name and addresses, or the given ones, and prints it; it is not shown
           again. The old key works for N more hours: 0 to 168, default ${OVERLAP_HOURS}.
  revoke   --key ID        Revokes a key now.
  list     [--business ID] Keys of this environment: id, last four characters, state, addresses, last use.

Scopes: ${SCOPES.join(', ')}

Other processes notice a change within a second. Business ids: npm run business -- list`

const GRAMMAR = {
  usage: USAGE,
  options: ['business', 'name', 'key', 'overlap-hours'],
  repeatable: ['allow-ip', 'scope'],
}

const VERBS = new Map<string, (context: AccessContext, command: Command) => Promise<string>>([
  ['create', create],
  ['rotate', rotate],
  ['revoke', revoke],
  ['list', list],
])

/**
 * Runs `npm run keys -- …`.
 *
 * @returns the output; for `create` and `rotate` it contains a secret, so it is for the operator's terminal only
 * @throws UsageError; ApiError `validation_failed`
 */
export async function keysCommand(context: AccessContext, args: readonly string[]): Promise<string> {
  const command = readCommand(args, GRAMMAR)
  const run = VERBS.get(command.verb)
  if (!run) throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  return run(context, command)
}

async function create(context: AccessContext, command: Command): Promise<string> {
  const scopes = command.all('scope')
  const wanted = {
    name: command.required('name'),
    allowedIps: command.all('allow-ip'),
    scopes: scopes.length > 0 ? scopes : undefined,
  }
  const businessId = await businessOf(context, command)
  const entry = { businessId, actor: OPERATOR, action: 'api_key.create' } as const
  const made = await audited(context, entry, async (tx) => {
    const result = await createApiKey({ ...context, db: tx }, { ...wanted, businessId })
    return { result, object: objectOf(result.apiKey), after: auditedKey(result.apiKey) }
  })
  return newKeyText(made)
}

async function rotate(context: AccessContext, command: Command): Promise<string> {
  const allowedIps = command.all('allow-ip')
  const wanted = {
    keyId: keyIdOf(command),
    allowedIps: allowedIps.length > 0 ? allowedIps : undefined,
    overlapHours: wholeNumber(command.optional('overlap-hours') ?? OVERLAP_HOURS),
  }
  const made = await transaction(context.db, async (tx) => {
    const { apiKey, ...rotated } = await rotateApiKey({ ...context, db: tx }, wanted)
    const entry = { businessId: apiKey.businessId, actor: OPERATOR, action: 'api_key.rotate' } as const
    const after = { ...auditedKey(apiKey), replaced_by: apiKey.id, works_until: epochSeconds(rotated.oldEndsAt) }
    const object = { type: 'api_key', id: wanted.keyId }
    return audited({ ...context, db: tx }, entry, async () => ({ result: { apiKey, ...rotated }, object, after }))
  })
  return `${newKeyText(made)}\nThe old key works until ${made.oldEndsAt.toISOString()}.`
}

async function revoke(context: AccessContext, command: Command): Promise<string> {
  const keyId = keyIdOf(command)
  await transaction(context.db, async (tx) => {
    const apiKey = await revokeApiKey({ ...context, db: tx }, keyId)
    const entry = { businessId: apiKey.businessId, actor: OPERATOR, action: 'api_key.revoke' } as const
    const change = { result: null, object: objectOf(apiKey), before: auditedKey(apiKey) }
    await audited({ ...context, db: tx }, entry, async () => change)
  })
  return `${keyId} is revoked.`
}

async function list(context: AccessContext, command: Command): Promise<string> {
  const { environment, clock } = context
  const businessId = command.optional('business') === undefined ? undefined : await businessOf(context, command)
  const keys = await listApiKeys(context.db, { environment, businessId })
  const now = clock.now()
  return [`Keys in ${environment}:`, ...(keys.length > 0 ? keys.map((key) => keyText(key, now)) : ['none'])].join('\n')
}

const objectOf = ({ id }: ApiKey) => ({ type: 'api_key', id })

function newKeyText({ apiKey, key }: { apiKey: ApiKey; key: string }): string {
  return [
    `business_id  ${apiKey.businessId}`,
    `key_id       ${apiKey.id}`,
    `name         ${apiKey.name}`,
    `allowed_ips  ${apiKey.allowedIps.join(', ')}`,
    `scopes       ${apiKey.scopes.join(', ')}`,
    `api_key      ${key}`,
    '',
    'The key cannot be shown again. Keep it on your server: whoever has it may do what its scopes say.',
  ].join('\n')
}

function keyText(key: ApiKey, now: Date): string {
  const used = key.lastUsedAt ? `last used ${key.lastUsedAt.toISOString()} from ${key.lastUsedFrom}` : 'never used'
  return [
    `${key.id}  …${key.lastFour}  ${key.name}`,
    `    ${stateOf(key, now)}; from ${key.allowedIps.join(', ')}; ${used}`,
    `    may do: ${key.scopes.join(', ')}`,
    `    business ${key.businessId}, created ${key.createdAt.toISOString()}`,
  ].join('\n')
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`
  if (!expiresAt) return 'active'
  return `${expiresAt > now ? 'expires' : 'expired'} ${expiresAt.toISOString()}`
}

function keyIdOf(command: Command): string {
  const id = command.required('key')
  if (!isUuid(id)) throw invalidField('key', 'must be the id of a key, not the key itself. See: npm run keys -- list')
  return id
}

/** Reads a whole number. `Number` alone would read '' as 0, and '1e1' as 10. */
const wholeNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

async function businessOf({ db }: AccessContext, command: Command): Promise<string> {
  const id = command.optional('business')
  if (id === undefined) return onlyBusiness(await listBusinesses(db))
  if (isUuid(id) && (await findBusiness(db, id))) return id
  throw invalidField('business', `no business has the id ${id}. See: npm run business -- list`)
}

function onlyBusiness(businesses: readonly { id: string }[]): string {
  const [first] = businesses
  if (!first) throw invalidField('business', 'there is no business yet. Create one: npm run business -- create …')
  if (businesses.length === 1) return first.id
  throw invalidField(
    'business',
    `there are ${businesses.length} businesses: choose one with --business ID. See: npm run business -- list`,
  )
}
