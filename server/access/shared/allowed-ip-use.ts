import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { writeAllowedIpUse } from './allowed-ip-queries.ts'
import type { Environment } from './context.ts'
import { createUseRecorder, type UseRecorder } from './use-recorder.ts'

export type AllowedIpUse = UseRecorder<{ businessId: string; address: string }>

interface Services {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  environment: Environment
}

/** Records the last call with an access token from each address. */
export function createAllowedIpUse({ db, environment, ...services }: Services): AllowedIpUse {
  return createUseRecorder(services, {
    what: 'an allowed address',
    nameOf: ({ businessId, address }) => `${businessId} ${address}`,
    write: (use) => writeAllowedIpUse(db, { ...use, environment }),
  })
}
