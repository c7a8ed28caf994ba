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

/** Reads client credentials from Basic authentication, which RFC 6749 allows in place of the body. */
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
 * Decodes one part. RFC 6749 2.3.1 form-encodes both, and strict clients also encode the `-` and `_` of our ids and
 * secrets. Ids and secrets never contain a `%` or a `+`, so decoding does not change one that was not encoded.
 */
const formDecoded = (part: string) => new URLSearchParams(`part=${part.replaceAll('&', '%26')}`).get('part') ?? ''

/**
 * Checks the credentials of a client.
 *
 * @returns `null` for a client that is unknown, revoked or of another environment, and for a wrong secret
 */
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
