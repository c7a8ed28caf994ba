import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { createUseRecorder, type UseRecorder } from '../shared/use-recorder.ts'
import { writeApiKeyUse } from './api-key-queries.ts'

export type ApiKeyUse = UseRecorder<{ keyId: string; businessId: string; address: string }>

/** Records the last use of each key, and its address. */
export function createApiKeyUse({ db, ...services }: { db: Db; clock: Clock; log: FastifyBaseLogger }): ApiKeyUse {
  return createUseRecorder(services, {
    what: 'a secret key',
    nameOf: ({ keyId, address }) => `${keyId} ${address}`,
    write: (use) => writeApiKeyUse(db, use),
  })
}
