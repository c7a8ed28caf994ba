import { writeIntent } from '../../server/checkout/pay/begin-sale.ts'
import { chooseCard } from '../../server/checkout/pay/choose-card.ts'
import { checkPayRequest } from '../../server/checkout/pay/pay-request.ts'
import { sendSessionSale } from '../../server/checkout/pay/pay-session.ts'
import { customerToMake } from '../../server/checkout/pay/payer.ts'
import { readPayRequest } from '../../server/checkout/pay/read-pay-request.ts'
import { recordPayResult } from '../../server/checkout/pay/record-pay-result.ts'
import { surchargeOf } from '../../server/checkout/pay/surcharge.ts'
import { findByToken } from '../../server/checkout/sessions/load-session.ts'
import { connect } from '../../server/db/connection.ts'
import { payBody } from './merchant.ts'
import type { TestService } from './service.ts'

const IP = '127.0.0.1'

/** A second payer of a session whose every step waits for the test to commit it. */
export interface OtherTab extends AsyncDisposable {
  /** Step 1, not committed: it holds the session's lock. */
  begin(): Promise<void>
  /** Steps 2 and 3: with step 1 in one transaction, or alone when that is committed. */
  finish(): Promise<void>
  commit(): Promise<void>
}

/** It runs the service's own steps, on a connection of its own. */
export async function openOtherTab(service: TestService, token: string, cardNumber?: string): Promise<OtherTab> {
  const database = connect({ url: service.databaseUrl, max: 1 })
  const held = await database.db.startTransaction().execute()
  const services = { ...service.app.services, db: held }
  const open = await findByToken(service.app.services, token)
  const body = checkPayRequest(payBody(cardNumber))
  const card = await chooseCard(services, open, body)
  const surcharge = surchargeOf(open.session, open.business, { funding: card.funding, places: [] })
  const payer = readPayRequest(open, body, { ip: IP, surcharge })
  let sale: Awaited<ReturnType<typeof writeIntent>> | null = null
  return {
    async begin() {
      sale = await writeIntent(
        services,
        {
          open,
          card,
          newCustomer: customerToMake({ open, card, customerId: null }),
          keptCard: null,
          customerId: null,
          surchargeAmount: surcharge.amount,
        },
        { payer, payerIpPrefix: IP },
      )
    },
    async finish() {
      if (!sale) throw new Error('Begin first')
      const now = held.isCommitted ? service.app.services : services
      await recordPayResult(now, sale, await sendSessionSale(now, sale, IP))
    },
    commit: async () => void (await held.commit().execute()),
    async [Symbol.asyncDispose]() {
      if (!held.isCommitted) await held.rollback().execute()
      await database.close()
    },
  }
}
