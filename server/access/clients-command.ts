import { SCOPES } from '../../contract/scopes.ts'
import { OPERATOR } from '../audit/actor.ts'
import type { AuditEntry } from '../audit/audit.ts'
import { recordAudit } from '../audit/audit-queries.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import { type Command, readCommand, UsageError } from '../lib/command.ts'
import { invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { auditedClient, type Client } from './clients/client.ts'
import { listClients } from './clients/client-queries.ts'
import { createClient, revokeClient } from './clients/create-client.ts'
import { addOwner } from './people/create-user.ts'
import { allowIp, disallowIp, listAllowedIps } from './shared/allowed-ip.ts'
import type { AccessContext } from './shared/context.ts'
import { startFamily } from './tokens/issue-tokens.ts'
import { newTokenPair } from './tokens/token.ts'

const USAGE = `Usage: npm run clients -- <what>

  create        --business ID --name TEXT --redirect-url URL --user EMAIL [--no-password-grant]
                [--scope SCOPE …]
                Registers a merchant's server. Prints its credentials and a first pair of tokens; they are not
                shown again. For a new email, also creates the user and prints a password. Its tokens may do what the
                scopes say, everything by default, and never more than the role of the user.
  list          --business ID        Clients and allowed addresses of this environment.
  revoke        --client ID          Revokes a client and all its tokens.
  allow-ip      --business ID --ip ADDRESS
  disallow-ip   --business ID --ip ADDRESS

Scopes: ${SCOPES.join(', ')}

Access tokens work from allowed addresses only. Other processes notice a change within a second.
Business ids: npm run business -- list`

const GRAMMAR = {
  usage: USAGE,
  options: ['business', 'name', 'redirect-url', 'user', 'client', 'ip'],
  repeatable: ['scope'],
  flags: ['no-password-grant'],
}

const VERBS = new Map<string, (context: AccessContext, command: Command) => Promise<string>>([
  ['create', create],
  ['list', list],
  ['revoke', revoke],
  ['allow-ip', allow],
  ['disallow-ip', disallow],
])

/**
 * Runs `npm run clients -- …`.
 *
 * @returns the output; for `create` it contains secrets, so it is for the operator's terminal only
 * @throws UsageError; ApiError `validation_failed`
 */
export async function clientsCommand(context: AccessContext, args: readonly string[]): Promise<string> {
  const command = readCommand(args, GRAMMAR)
  const run = VERBS.get(command.verb)
  if (!run) throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  return run(context, command)
}

async function create(context: AccessContext, command: Command): Promise<string> {
  const businessId = await knownBusiness(context, command)
  const scopes = command.all('scope')
  const wanted = {
    businessId,
    name: command.required('name'),
    redirectUrl: command.required('redirect-url'),
    passwordGrant: !command.flag('no-password-grant'),
    scopes: scopes.length > 0 ? scopes : undefined,
  }
  const email = command.required('user')
  const pair = newTokenPair()
  const made = await transaction(context.db, async (tx) => {
    const inside = { ...context, db: tx }
    const { client, clientSecret } = await createClient(inside, wanted)
    const { userId, password } = await addOwner(inside, { businessId, email })
    await startFamily(inside, { pair, businessId, clientId: client.id, userId })
    const change = { object: objectOf(client), after: { ...auditedClient(client), user: email } }
    await record(inside, { businessId, action: 'oauth_client.create', ...change })
    return { client, clientSecret, password }
  })
  return [
    `business_id    ${businessId}`,
    `client_id      ${made.client.id}`,
    `client_secret  ${made.clientSecret}`,
    `username       ${email}`,
    `password       ${made.password ?? '(unchanged)'}`,
    `access_token   ${pair.accessToken}`,
    `refresh_token  ${pair.refreshToken}`,
    '',
    'These secrets cannot be shown again. Next: npm run clients -- allow-ip --business … --ip …',
  ].join('\n')
}

async function list(context: AccessContext, command: Command): Promise<string> {
  const businessId = await knownBusiness(context, command)
  const clients = await listClients(context.db, businessId, context.environment)
  const addresses = await listAllowedIps(context, businessId)
  const lines = clients.map(({ id, name, redirectUrl, revokedAt }) =>
    [id, revokedAt ? `revoked ${revokedAt.toISOString()}` : 'active', redirectUrl, name].join('  '),
  )
  return [
    `Clients in ${context.environment}:`,
    ...(lines.length > 0 ? lines : ['none']),
    `Allowed addresses: ${addresses.join(', ') || 'none'}`,
  ].join('\n')
}

async function revoke(context: AccessContext, command: Command): Promise<string> {
  const clientId = command.required('client')
  if (!isUuid(clientId)) throw invalidField('client', 'must be the id of a client')
  await transaction(context.db, async (tx) => {
    const client = await revokeClient({ ...context, db: tx }, clientId)
    const change = { object: objectOf(client), before: auditedClient(client) }
    await record({ ...context, db: tx }, { businessId: client.businessId, action: 'oauth_client.revoke', ...change })
  })
  return `${clientId} and all its tokens are revoked.`
}

async function allow(context: AccessContext, command: Command): Promise<string> {
  const businessId = await knownBusiness(context, command)
  const address = await transaction(context.db, async (tx) => {
    const added = await allowIp({ ...context, db: tx }, { businessId, address: command.required('ip') })
    await record({ ...context, db: tx }, { businessId, action: 'allowed_ip.add', after: { address: added } })
    return added
  })
  return `${address} is allowed in ${context.environment}.`
}

async function disallow(context: AccessContext, command: Command): Promise<string> {
  const businessId = await knownBusiness(context, command)
  const address = await transaction(context.db, async (tx) => {
    const removed = await disallowIp({ ...context, db: tx }, { businessId, address: command.required('ip') })
    await record({ ...context, db: tx }, { businessId, action: 'allowed_ip.remove', before: { address: removed } })
    return removed
  })
  return `${address} is no longer allowed in ${context.environment}.`
}

/** Writes the audit entry of a change that the operator makes. */
async function record(
  { db, clock }: { db: Tx; clock: AccessContext['clock'] },
  change: Partial<AuditEntry> & Pick<AuditEntry, 'businessId' | 'action'>,
): Promise<void> {
  const entry = { actor: OPERATOR, object: null, before: null, after: null, outcome: 'done' } as const
  await recordAudit(db, { ...entry, ...change }, clock.now())
}

const objectOf = ({ id }: Client) => ({ type: 'oauth_client', id })

async function knownBusiness({ db }: AccessContext, command: Command): Promise<string> {
  const id = command.required('business')
  if (isUuid(id) && (await findBusiness(db, id))) return id
  throw invalidField('business', `no business has the id ${id}. See: npm run business -- list`)
}
