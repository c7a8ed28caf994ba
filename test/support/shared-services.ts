import { after, afterEach, before, beforeEach } from 'node:test'
import { type KillableService, openKillableService } from './killable-service.ts'
import { moneyRows, type OperationRow } from './money-rows.ts'
import type { TestService, TestServiceOptions } from './service.ts'
import { openServiceWithClock, type ServiceWithClock } from './silent-gateway.ts'
import { assertSoundBooks } from './sound-books.ts'

// One service for all tests of a suite, which run one after another, each with sessions, customers and payments of its
// own. The gateway forgets its script after each test. After the last one the books are audited, and the service ends.

/** Opens a service with a clock that the tests move. @returns a function for the hooks and tests of the suite */
export function sharedService(options: TestServiceOptions = {}): () => ServiceWithClock {
  let service: ServiceWithClock | undefined
  const opened = () => {
    if (!service) throw new Error('The service of the suite is not open yet')
    return service
  }
  before(async () => {
    service = await openServiceWithClock(options)
  })
  afterEach(() => opened().simulator.resetScript())
  after(async () => {
    if (!service) return
    await using closing = service
    await assertSoundBooks(closing)
  })
  return opened
}

/** Opens a service in its own process. Each test begins with a process that runs, whatever the test before has left. */
export function sharedKillableService(options: Parameters<typeof openKillableService>[0] = {}): () => KillableService {
  let service: KillableService | undefined
  const opened = () => {
    if (!service) throw new Error('The service of the suite is not open yet')
    return service
  }
  before(async () => {
    service = await openKillableService(options)
  })
  beforeEach(() => opened().revive(options))
  afterEach(() => opened().simulator.resetScript())
  after(async () => {
    if (!service) return
    await using closing = service
    await assertSoundBooks(closing)
  })
  return opened
}

/** Returns what service and gateway record from now on: a test asks for its part of the shared books. */
export async function fromNow({ databaseUrl, simulator }: Pick<TestService, 'databaseUrl' | 'simulator'>) {
  async function all(): Promise<OperationRow[]> {
    await using book = moneyRows(databaseUrl)
    return await book.operations()
  }
  const [operationsBefore, rowsBefore] = [(await all()).length, (await simulator.rows()).length]
  /** Returns the operations in the order in which they began. */
  const operations = async (kind?: OperationRow['kind']) =>
    (await all()).slice(operationsBefore).filter((one) => kind === undefined || one.kind === kind)
  /** Returns the rows of the gateway, oldest first. */
  const rows = async () => (await simulator.rows()).slice(rowsBefore)
  return {
    operations,
    states: async (kind?: OperationRow['kind']) => (await operations(kind)).map(({ state }) => state),
    rows,
    recordedRows: async (wanted: string) => (await rows()).filter(({ op, recorded }) => op === wanted && recorded),
  }
}

export type Since = Awaited<ReturnType<typeof fromNow>>
