import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Db } from '../db/connection.ts'
import { addressForCounting } from '../http/client-address.ts'
import type { MakeRateLimiter, RateLimit } from '../http/rate-limit.ts'
import { rememberCredential } from '../http/request-credential.ts'
import { holdsCardNumber } from '../lib/card-number-in-text.ts'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { writeClientSighting } from './clients/client-queries.ts'
import { readApiKey } from './keys/api-key.ts'
import { writeKeySighting } from './keys/api-key-queries.ts'
import type { ApiKeys } from './keys/api-keys.ts'
import type { Environment } from './shared/context.ts'
import { bearerCredential } from './shared/credential.ts'
import { createUseRecorder } from './shared/use-recorder.ts'
import type { BearerTokens } from './tokens/bearer-tokens.ts'
import { looksLikeAccessToken } from './tokens/token.ts'

/** Notes which secret keys and access tokens are sent by pages, where every visitor could read them. */
export interface PageSightings {
  /**
   * Looks for a valid credential in a page's request. Returns at once: no request waits for the look or fails with it.
   */
  look(request: FastifyRequest): void
  /** Resolves when the looks under way are done and written. */
  flushed(): Promise<void>
}

interface Services {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  environment: Environment
  apiKeys: ApiKeys
  bearerTokens: BearerTokens
  makeOwnRateLimiter: MakeRateLimiter
}

/** Limit for each address, so that invented tokens cause no more queries than this. */
const LOOKS: RateLimit = { name: 'page_sighting', points: 10, seconds: 60 }
/** Further simultaneous look-ups are skipped, because they would wait for connections that payments need. */
const LOOKS_AT_ONCE = 2
const ORIGIN_CHARACTERS_MAX = 255

/**
 * Creates the sightings. Only a valid credential is noted, whatever address it comes from, and at most once a minute:
 * each key and client has one row, which is overwritten.
 *
 * @see ACC-34
 */
export function createPageSightings(services: Services): PageSightings {
  const { clock, log, makeOwnRateLimiter } = services
  const limiter = makeOwnRateLimiter(LOOKS)
  const looking = new Set<Promise<void>>()
  const written = createUseRecorder<Sighting>(
    { clock, log },
    {
      what: 'a credential in a page',
      nameOf: ({ kind, id }) => `${kind} ${id}`,
      write: ({ kind, ...seen }) => WRITES[kind](services.db, seen),
    },
  )

  async function lookFor(secret: string, request: FastifyRequest): Promise<void> {
    await limiter.consume(addressForCounting(request.ip))
    const found = await findCredential(services, secret)
    if (!found) return
    written.record({ ...found, origin: originOf(request.headers.origin) })
    // The page was refused before its credential was examined; the merchant should see the refusal (ACC-31).
    rememberCredential(request, found)
  }

  return {
    look(request) {
      const secret = bearerCredential(request)
      if (secret === null || looking.size >= LOOKS_AT_ONCE) return
      const look = lookFor(secret, request)
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) log.warn({ err: error }, 'credential of a page not looked up')
        })
        .finally(() => looking.delete(look))
      looking.add(look)
    },
    async flushed() {
      await Promise.all(looking)
      await written.flushed()
    },
  }
}

interface Credential {
  kind: 'api_key' | 'oauth_client'
  /** Id of the key or the client. */
  id: string
  businessId: string
}

type Sighting = Credential & { origin: string | null }
type Seen = Omit<Sighting, 'kind'> & { at: Date; unlessSince: Date }

const WRITES: Record<Credential['kind'], (db: Db, seen: Seen) => Promise<void>> = {
  api_key: (db, { id, ...seen }) => writeKeySighting(db, { ...seen, keyId: id }),
  oauth_client: (db, { id, origin, at, unlessSince }) => writeClientSighting(db, { id, origin, at, unlessSince }),
}

/**
 * Finds the credential of a text; `null` if it is not valid. A text that cannot be a credential does not cost a query.
 */
async function findCredential(
  { apiKeys, bearerTokens, environment }: Services,
  secret: string,
): Promise<Credential | null> {
  if (looksLikeAccessToken(secret)) {
    const caller = (await bearerTokens.find(secret))?.caller
    return caller ? { kind: 'oauth_client', id: caller.clientId, businessId: caller.business.id } : null
  }
  const caller = readApiKey(secret) === environment ? (await apiKeys.find(secret))?.caller : null
  return caller ? { kind: 'api_key', id: caller.keyId, businessId: caller.business.id } : null
}

/** Returns the origin in a form for people; `null` for anything that is not the origin of a site. */
function originOf(header: string | undefined): string | null {
  const url = header === undefined ? null : URL.parse(header)
  if (url === null || url.origin === 'null' || url.origin.length > ORIGIN_CHARACTERS_MAX) return null
  return holdsCardNumber(url.origin) ? null : url.origin
}
