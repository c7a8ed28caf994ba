import { findBusiness, listBusinesses } from '../../businesses/business-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { type Command, readCommand, UsageError } from '../../lib/command.ts'
import { invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { AccessContext } from '../shared/context.ts'
import type { ApiKey } from './api-key.ts'
import { listApiKeys } from './api-key-queries.ts'
import { createApiKey } from './create-api-key.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'

const OVERLAP_HOURS = '24'

const USAGE = `Usage: npm run keys -- <what>

  create   [--business ID] --name TEXT --allow-ip IP [--allow-ip IP]
           Makes a secret key for the merchant API. Prints it, this once. It works from these one or two addresses.
           The business may be left out when there is only one.
  rotate   --key ID [--overlap-hours N] [--allow-ip IP [--allow-ip IP]]
           Makes a new key of the same name and addresses, or of those given. Prints it, this once.
           The old one works for ${OVERLAP_HOURS} hours more, or N: 0 to 168.
  revoke   --key ID        Ends a key now.
  list     [--business ID] Keys of this environment: id, last four characters, state, addresses, uses.

Other processes see a change within a second. Business ids: npm run business -- list`

const GRAMMAR = {
  usage: USAGE,
  options: ['business', 'name', 'key', 'overlap-hours'],
  repeatable: ['allow-ip'],
}

const VERBS = new Map<string, (context: AccessContext, command: Command) => Promise<string>>([
  ['create', create],
  ['rotate', rotate],
  ['revoke', revoke],
  ['list', list],
])

/**
 * `npm run keys -- …`
 *
 * @returns what to print; for `create` and `rotate` it holds a secret, so it is for the operator's terminal only
 * @throws UsageError; ApiError `validation_failed`
 */
export async function keysCommand(context: AccessContext, args: readonly string[]): Promise<string> {
  const command = readCommand(args, GRAMMAR)
  const run = VERBS.get(command.verb)
  if (!run) throw new UsageError(`Unknown: ${command.verb}`, USAGE)
  return run(context, command)
}

async function create(context: AccessContext, command: Command): Promise<string> {
  const wanted = { name: command.required('name'), allowedIps: command.all('allow-ip') }
  const businessId = await businessOf(context, command)
  const made = await transaction(context.db, (tx) => createApiKey({ ...context, db: tx }, { ...wanted, businessId }))
  return newKeyText(made)
}

async function rotate(context: AccessContext, command: Command): Promise<string> {
  const allowedIps = command.all('allow-ip')
  const wanted = {
    keyId: keyIdOf(command),
    allowedIps: allowedIps.length > 0 ? allowedIps : undefined,
    overlapHours: wholeNumber(command.optional('overlap-hours') ?? OVERLAP_HOURS),
  }
  const made = await transaction(context.db, (tx) => rotateApiKey({ ...context, db: tx }, wanted))
  return `${newKeyText(made)}\nThe old key works until ${made.oldEndsAt.toISOString()}.`
}

async function revoke(context: AccessContext, command: Command): Promise<string> {
  const keyId = keyIdOf(command)
  await revokeApiKey(context, keyId)
  return `${keyId} is revoked.`
}

async function list(context: AccessContext, command: Command): Promise<string> {
  const { environment, clock } = context
  const businessId = command.optional('business') === undefined ? undefined : await businessOf(context, command)
  const keys = await listApiKeys(context.db, { environment, businessId })
  const now = clock.now()
  return [`Keys in ${environment}:`, ...(keys.length > 0 ? keys.map((key) => keyText(key, now)) : ['none'])].join('\n')
}

function newKeyText({ apiKey, key }: { apiKey: ApiKey; key: string }): string {
  return [
    `business_id  ${apiKey.businessId}`,
    `key_id       ${apiKey.id}`,
    `name         ${apiKey.name}`,
    `allowed_ips  ${apiKey.allowedIps.join(', ')}`,
    `api_key      ${key}`,
    '',
    'The key cannot be shown again. Keep it on the server: it may do all that the merchant API can.',
  ].join('\n')
}

function keyText(key: ApiKey, now: Date): string {
  const used = key.lastUsedAt ? `last used ${key.lastUsedAt.toISOString()} from ${key.lastUsedFrom}` : 'never used'
  return [
    `${key.id}  …${key.lastFour}  ${key.name}`,
    `    ${stateOf(key, now)}; from ${key.allowedIps.join(', ')}; ${used}`,
    `    business ${key.businessId}, created ${key.createdAt.toISOString()}`,
  ].join('\n')
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`
  if (!expiresAt) return 'live'
  return `${expiresAt > now ? 'works until' : 'ended'} ${expiresAt.toISOString()}`
}

function keyIdOf(command: Command): string {
  const id = command.required('key')
  if (!isUuid(id)) throw invalidField('key', 'must be the id of a key, not the key itself. See: npm run keys -- list')
  return id
}

/** Number('') is 0, and Number('1e1') is 10. */
const wholeNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

async function businessOf({ db }: AccessContext, command: Command): Promise<string> {
  const id = command.optional('business')
  if (id === undefined) return onlyBusiness(await listBusinesses(db))
  if (isUuid(id) && (await findBusiness(db, id))) return id
  throw invalidField('business', `no business has the id ${id}. See: npm run business -- list`)
}

function onlyBusiness(businesses: readonly { id: string }[]): string {
  const [first] = businesses
  if (!first) throw invalidField('business', 'there is none yet. Make one: npm run business -- create …')
  if (businesses.length === 1) return first.id
  throw invalidField(
    'business',
    `there are ${businesses.length}: say which by --business ID. See: npm run business -- list`,
  )
}
