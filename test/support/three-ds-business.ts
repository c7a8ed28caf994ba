import { equal } from 'node:assert/strict'
import { challenge, type FakeThreeDsServer, fakeThreeDsServer } from './fake-three-ds-server.ts'
import { type Merchant, merchantOf } from './merchant.ts'
import { type MovableClock, movableClock } from './movable-clock.ts'
import { setBusiness } from './recorded.ts'
import { openService, type TestService } from './service.ts'
import { authenticationsOf, threeDsOf } from './three-ds.ts'

/** Factor for wait times in the services of tests. */
export const TIME_SCALE = 0.05

type Times = Partial<Record<'method_done_at' | 'challenge_opened_at' | 'challenge_returned_at', Date>>

/** A business that has 3-D Secure, with a bank and a clock that the test controls. */
export interface ThreeDsBusiness extends AsyncDisposable {
  service: TestService
  merchant: Merchant
  bank: FakeThreeDsServer
  clock: MovableClock
  payer: ReturnType<typeof threeDsOf>
  /** Creates a session, and begins an authentication of it. */
  begun(session?: Record<string, unknown>): Promise<{ token: string; id: string }>
  /** Creates a session, and an authentication with a challenge that the bank requires. */
  // biome-ignore lint/suspicious/noExplicitAny: a response, as in `Response`.
  challenged(): Promise<{ token: string; id: string; body: any }>
  rowOf(id: string): Promise<Awaited<ReturnType<typeof authenticationsOf>>[number]>
  /** Records what the bank's pages do. */
  mark(id: string, at: Times): Promise<unknown>
  attemptsOf(token: string): Promise<number>
}

export async function openThreeDsBusiness(): Promise<ThreeDsBusiness> {
  const [bank, clock] = [fakeThreeDsServer(), movableClock()]
  const service = await openService({ threeDsServer: bank, clock, timeScale: TIME_SCALE })
  const [merchant, payer] = [merchantOf(service), threeDsOf(service)]
  await setBusiness(service, { three_ds_enabled: true })
  const begun: ThreeDsBusiness['begun'] = async (session = {}) => {
    const token = await merchant.sessionToken(session)
    return { token, id: await payer.begin(token) }
  }
  return {
    service,
    merchant,
    bank,
    clock,
    payer,
    begun,
    async challenged() {
      bank.onAuthenticate = challenge
      const { token, id } = await begun()
      const { body } = await payer.authenticate(token, id)
      equal(body.status, 'challenge_required', JSON.stringify(body))
      return { token, id, body }
    },
    async rowOf(id) {
      const row = (await authenticationsOf(service)).find((one) => `ddd_${one.id}` === id)
      if (!row) throw new Error('no such authentication')
      return row
    },
    mark: (id, at) =>
      service.app.services.db.updateTable('authentication').set(at).where('id', '=', id.slice(4)).execute(),
    attemptsOf: async (token) => (await merchant.details(token)).body.checkout_session.attempt_count,
    [Symbol.asyncDispose]: () => service.close(),
  }
}
