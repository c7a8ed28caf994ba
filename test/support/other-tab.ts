import { chooseCard } from '../../server/checkout/pay/choose-card.ts'
import { customerToCreate } from '../../server/checkout/pay/kept-card.ts'
import { checkPayRequest } from '../../server/checkout/pay/pay-request.ts'
import { readPayRequest } from '../../server/checkout/pay/read-pay-request.ts'
import { sessionCharge } from '../../server/checkout/pay/session-charge.ts'
import { surchargeOf } from '../../server/checkout/pay/surcharge.ts'
import { findByToken } from '../../server/checkout/sessions/load-session.ts'
import { connect } from '../../server/db/connection.ts'
import { newId } from '../../server/lib/ids.ts'
import { recordIntent } from '../../server/payments/charge/charge.ts'
import { recordResult } from '../../server/payments/charge/record-result.ts'
import { sendSale } from '../../server/payments/charge/send-sale.ts'
import { readCard } from '../../server/vault/card.ts'
import { payBody } from './merchant.ts'
import type { TestService } from './service.ts'

const IP = '127.0.0.1'

/** A second payer of a session. The test commits each of its steps. */
export interface OtherTab extends AsyncDisposable {
  /** Performs step 1 without a commit: holds the lock of the session. */
  begin(): Promise<void>
  /** Performs steps 2 and 3, in one transaction with step 1, or alone if that is committed. */
  finish(): Promise<void>
  commit(): Promise<void>
}

/** Opens a tab that runs the service's own steps on a separate connection. */
export async function openOtherTab(service: TestService, token: string, cardNumber?: string): Promise<OtherTab> {
  const database = connect({ url: service.databaseUrl, max: 1 })
  const held = await database.db.startTransaction().execute()
  const services = {
    ...service.app.services,
    get db() {
      return held.isCommitted ? service.app.services.db : held
    },
  }
  const loaded = await findByToken(service.app.services, token)
  const body = checkPayRequest(payBody(cardNumber))
  const card = await chooseCard(services, loaded, body, readCard)
  const surcharge = surchargeOf(loaded.session, loaded.business, { funding: card.funding, places: [] })
  const payer = readPayRequest(loaded, body, { ip: IP, surcharge, card })
  const payment = {
    operationId: newId(),
    loaded,
    card,
    proof: null,
    payer,
    ip: IP,
    payerIpPrefix: IP,
    newCustomer: customerToCreate(loaded.session, card, { customerId: null, locale: null }),
    keptCard: null,
    customerId: null,
    surchargeAmount: surcharge.amount,
  }
  let plan: ReturnType<typeof sessionCharge>
  let begun: number | null = null
  return {
    async begin() {
      plan = sessionCharge(services, payment)
      begun = await recordIntent(services, plan)
    },
    async finish() {
      if (begun === null) throw new Error('Begin first')
      await recordResult(services, plan, await sendSale(services, plan), begun)
    },
    commit: async () => void (await held.commit().execute()),
    async [Symbol.asyncDispose]() {
      if (!held.isCommitted) await held.rollback().execute()
      await database.close()
    },
  }
}
