import type { FastifyBaseLogger } from 'fastify'
import { transaction } from '../../db/transaction.ts'
import { credentialHashes } from '../../lib/keyring.ts'
import type { AccessContext } from '../shared/context.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import { storeTokens } from './issue-tokens.ts'
import { LOST_ANSWER_SECONDS, type RefreshToken, type TokenPair } from './token.ts'
import { findRefreshToken, revokeFamily, spendRefreshToken } from './token-queries.ts'

export type RefreshContext = AccessContext & { bearerTokens: BearerTokens; log: FastifyBaseLogger }

/** @returns also a spent one: what it means is decided when it is spent again */
export async function presentedRefreshToken(
  { db, keyring, clock }: AccessContext,
  secret: string,
): Promise<RefreshToken | null> {
  const token = await findRefreshToken(db, credentialHashes(keyring, secret), clock.now())
  return token?.ended ? null : token
}

/**
 * The refresh token grant: the old token is spent and the new pair stored together, so that a crash leaves the old one good.
 * The access token before it lives on until its own expiry: requests under way with it must not fail.
 *
 * @param ip canonical
 * @returns whether this call was the one that spent it
 * @see ACC-5 to ACC-8
 */
export async function rotateRefreshToken(
  context: RefreshContext,
  { token, pair, ip }: { token: RefreshToken; pair: TokenPair; ip: string },
): Promise<boolean> {
  const rotated = await transaction(context.db, async (tx) => {
    const spent = await spendRefreshToken(tx, { hash: token.hash, usedAt: context.clock.now(), usedFrom: known(ip) })
    if (spent)
      await storeTokens({ ...context, db: tx }, { pair, businessId: token.businessId, familyId: token.familyId })
    return spent
  })
  if (!rotated) await detectReuse(context, token, ip)
  return rotated
}

/** A stolen token shows by being used twice, and nobody can tell by whom first: both lose (RFC 9700). */
async function detectReuse(context: RefreshContext, { hash, clientId }: RefreshToken, ip: string): Promise<void> {
  const at = context.clock.now()
  const token = await findRefreshToken(context.db, [hash], at)
  if (!token?.usedAt || token.ended) return
  const soon = at.getTime() - token.usedAt.getTime() <= LOST_ANSWER_SECONDS * 1000
  if (soon && token.usedFrom === known(ip)) return
  const { businessId, familyId } = token
  await revokeFamily(context.db, { businessId, familyId, at })
  context.bearerTokens.forgetAll()
  context.log.warn({ businessId, clientId, familyId, ip }, 'a spent refresh token came again: its family is revoked')
}

const known = (ip: string) => (ip === 'unknown' ? null : ip)
