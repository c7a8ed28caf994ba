import { assertNoTransaction } from '../../db/transaction.ts'
import { REQUEST_TIMEOUT_MS } from '../../three-d-secure/authentication.ts'
import type { ThreeDsServer, ThreeDsServerFailure } from '../../three-d-secure/three-ds-server.ts'
import type { ThreeDsServices } from './three-ds-services.ts'

/** Code of the protocol for a request without a timely response. */
const TIMED_OUT = '402'

/**
 * Calls the 3-D Secure server once. The call has failed if the adapter throws, does not respond in time, or is not
 * configured.
 *
 * @see TDS-9, TDS-17
 */
export async function callThreeDsServer<Result>(
  { threeDsServer, timings, log }: Pick<ThreeDsServices, 'threeDsServer' | 'timings' | 'log'>,
  call: (server: ThreeDsServer, signal: AbortSignal) => Promise<Result | ThreeDsServerFailure>,
): Promise<Result | ThreeDsServerFailure> {
  assertNoTransaction('The 3-D Secure server')
  if (threeDsServer === null) return failure(null, 'No 3-D Secure server is configured')
  const timeout = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<ThreeDsServerFailure>((resolve) => {
    timer = setTimeout(() => {
      resolve(failure(TIMED_OUT, 'No response in time'))
      timeout.abort()
    }, REQUEST_TIMEOUT_MS * timings.scale)
  })
  const result = call(threeDsServer, timeout.signal).catch((error: unknown) => {
    log.error({ err: error }, 'the adapter of the 3-D Secure server threw')
    return failure(null, 'The adapter threw')
  })
  return Promise.race([result, silence]).finally(() => clearTimeout(timer))
}

const failure = (errorCode: string | null, message: string): ThreeDsServerFailure => ({
  outcome: 'failed',
  errorCode,
  component: errorCode === null ? null : 'S',
  message,
})

/** Logs a failure; as an error if it needs an operator, because no payer can be authenticated until it is fixed. */
export function logFailure(
  log: ThreeDsServices['log'],
  { id: authentication }: { id: string },
  { errorCode, component, message, isMisconfigured }: ThreeDsServerFailure,
  text: string,
): void {
  const fields = { authentication, errorCode, component, message }
  if (isMisconfigured)
    log.error(fields, `${text}: set the 3-D Secure server's key right; no payer can be authenticated`)
  else log.warn(fields, text)
}

/** Whether the result is a failure; other results have other outcomes. */
export const hasFailed = (result: { outcome: string }): result is ThreeDsServerFailure => result.outcome === 'failed'
