import { timingSafeEqual } from 'node:crypto'
import type { Access } from '../../http/route.ts'
import { canonicalUuid, isUuid } from '../../lib/ids.ts'
import { credentialHashes } from '../../lib/keyring.ts'
import type { AccessContext } from '../shared/context.ts'
import type { Client } from './client.ts'
import { findLiveClient } from './client-queries.ts'

const BASIC = /^Basic +([\w+/-]+=*) *$/i

export interface ClientCredentials {
  client_id: string
  client_secret: string
}

/** Client credentials come in the body, or by Basic as RFC 6749 also allows; only the latter are read here. */
export const clientCredentialsAccess: Access<ClientCredentials | null> = {
  name: 'client credentials',
  check({ headers }) {
    const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? []
    if (encoded === undefined) return null
    const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
    return { client_id: formDecoded(id), client_secret: formDecoded(secret.join(':')) }
  },
}

/**
 * RFC 6749 2.3.1 has both parts form-encoded, and strict clients encode also the `-` and `_` of our ids and secrets.
 * Neither contains a `%` or a `+`, so those that were not encoded stay as they are.
 */
const formDecoded = (part: string) => new URLSearchParams(`part=${part.replaceAll('&', '%26')}`).get('part') ?? ''

/** @returns `null` for a client that is unknown, revoked or of another environment, and for a wrong secret */
export async function authenticateClient(
  { db, keyring, environment }: AccessContext,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<Client | null> {
  const id = canonicalUuid(clientId)
  if (!isUuid(id)) return null
  const found = await findLiveClient(db, { id, environment })
  if (!found) return null
  const { secretHash, ...client } = found
  const matches = credentialHashes(keyring, clientSecret).some((hash) => timingSafeEqual(hash, secretHash))
  return matches ? client : null
}
