import type { FastifyBaseLogger } from 'fastify'
import type { Scope } from '../../../contract/scopes.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import { credentialHashes } from '../../lib/keyring.ts'
import { listAllowedIps } from '../shared/allowed-ip.ts'
import type { AccessContext } from '../shared/context.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import { storeTokens } from './issue-tokens.ts'
import type { RefreshReuse, RefreshToken, TokenPair } from './token.ts'
import { findRefreshToken, revokeFamily, spendRefreshToken } from './token-queries.ts'

export type RefreshContext = AccessContext & {
  bearerTokens: BearerTokens
  log: FastifyBaseLogger
  /** Records at the client that a spent token was presented again. */
  noteReuse(db: Db, reuse: RefreshReuse & { id: string }): Promise<void>
}

/** Outcome of a refresh: `other_worker` if another worker of the same server was faster. */
export type Rotation = 'rotated' | 'other_worker' | 'ended'

/** @returns the token even if it is already spent; `rotateRefreshToken` decides what that means */
export async function presentedRefreshToken(
  { db, keyring, clock }: AccessContext,
  secret: string,
): Promise<RefreshToken | null> {
  const token = await findRefreshToken(db, credentialHashes(keyring, secret), clock.now())
  return token?.ended ? null : token
}

/**
 * Runs the refresh token grant. It spends the old token and stores the new pair in one transaction, so a crash leaves
 * the old token valid. The previous access token stays valid until it expires, because requests under way with it must
 * not fail.
 *
 * @param ip canonical address
 * @see ACC-5 to ACC-8
 */
export async function rotateRefreshToken(
  context: RefreshContext,
  { token, pair, scopes, ip }: { token: RefreshToken; pair: TokenPair; scopes: readonly Scope[] | null; ip: string },
): Promise<Rotation> {
  const { businessId, familyId } = token
  const rotated = await transaction(context.db, async (tx) => {
    const spent = await spendRefreshToken(tx, { hash: token.hash, usedAt: context.clock.now(), usedFrom: known(ip) })
    if (spent) await storeTokens({ ...context, db: tx }, { pair, businessId, familyId, scopes })
    return spent
  })
  if (rotated) return 'rotated'
  const isOwn = (await listAllowedIps(context, businessId)).includes(ip)
  if (!isOwn) return endReused(context, token, ip)
  await context.noteReuse(context.db, { id: token.clientId, at: context.clock.now(), from: ip, ended: false })
  return 'other_worker'
}

/**
 * Ends the family of a spent token that comes without its client's secret, since the token was stolen (RFC 9700). A
 * token that was never spent stays valid: otherwise whoever could guess it could end it.
 *
 * @param secret the refresh token as the request had it
 */
export async function endIfReused(context: RefreshContext, secret: string, ip: string): Promise<void> {
  const token = await presentedRefreshToken(context, secret)
  if (token?.usedAt) await endReused(context, token, ip)
}

async function endReused(context: RefreshContext, token: RefreshToken, ip: string): Promise<Rotation> {
  const { businessId, familyId, clientId } = token
  const at = context.clock.now()
  await transaction(context.db, async (tx) => {
    await revokeFamily(tx, { businessId, familyId, at })
    await context.noteReuse(tx, { id: clientId, at, from: ip, ended: true })
  })
  context.bearerTokens.forgetAll()
  context.log.warn({ businessId, clientId, familyId, ip }, 'refresh token reuse detected; token family revoked')
  return 'ended'
}

const known = (ip: string) => (ip === 'unknown' ? null : ip)
