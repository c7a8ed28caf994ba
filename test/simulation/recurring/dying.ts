import type { Db } from '../../../server/db/connection.ts'
import type { FaultPlace } from '../../../server/lib/fault-points.ts'
import type { World } from './world.ts'

/** Place at which a process of the money path dies. */
export type Death = Extract<FaultPlace, `${string}:intent_commit` | 'after:gateway_result' | 'after:result_commit'>

export const DEATHS: Death[] = [
  'before:intent_commit',
  'after:intent_commit',
  'after:gateway_result',
  'after:result_commit',
]

type Services = World['app']['services']

/**
 * Runs work in a process that dies when it reaches the place: nothing after it happens.
 *
 * @returns the result of the work, or `died` if it reached the place
 */
export async function untilDeath<Result>(
  services: Services,
  place: Death,
  work: (services: Services) => Promise<Result>,
): Promise<Result | 'died'> {
  const state = { isDead: false }
  const reach = (reached: FaultPlace) => {
    if (reached !== place) return
    state.isDead = true
    throw new Error('The process died')
  }
  try {
    const made = await work({ ...services, db: mortal(services.db, state), faults: { reach } })
    return state.isDead ? 'died' : made
  } catch (error) {
    if (state.isDead) return 'died'
    throw error
  }
}

/**
 * Runs work whose first record of a gateway's result is committed, but the acknowledgement of that commit is lost.
 *
 * @returns whether one was lost
 */
export async function losingAcknowledgement(
  services: Services,
  work: (services: Services) => Promise<unknown>,
): Promise<boolean> {
  let isLost = false
  const executeQuery: Db['executeQuery'] = async (query) => {
    const result = await services.db.executeQuery(query)
    if (isLost || !('sql' in query) || !RECORDS_RESULT.test(query.sql)) return result
    isLost = true
    throw new Error('Connection terminated unexpectedly')
  }
  const db = new Proxy(services.db, {
    get(target, name) {
      const value: unknown = name === 'executeQuery' ? executeQuery : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await work({ ...services, db })
  return isLost
}

const RECORDS_RESULT = /\bfinalized as \(/

/** Returns a connection that refuses everything once the process is dead. */
function mortal(db: Db, state: { isDead: boolean }): Db {
  return new Proxy(db, {
    get(target, name) {
      if (state.isDead) throw new Error('A dead process writes nothing')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
