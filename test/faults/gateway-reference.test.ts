import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkPayRequest } from '../../server/checkout/pay/pay-request.ts'
import { paySession } from '../../server/checkout/pay/pay-session.ts'
import type { Gateway } from '../../server/gateway/gateway.ts'
import { responseOf } from '../../server/payments/charge/charged.ts'
import { merchantOf, payBody } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { paidSale } from '../support/reconciled-service.ts'
import { openService, type TestService } from '../support/service.ts'

const PARTIAL = '4000990000000103'

/** Pays a new session at a gateway that returns the reference of an earlier transaction for its approvals. */
async function payUnderReference(service: TestService, gatewayRef: string): Promise<unknown> {
  const { services } = service.app
  const gateway = services.gateways('simulator')
  const confused: Gateway = {
    ...gateway,
    async sale(request) {
      const result = await gateway.sale(request)
      return result.outcome === 'approved' ? { ...result, gatewayRef } : result
    },
  }
  const token = await merchantOf(service).sessionToken()
  const body = checkPayRequest(payBody())
  const paid = await paySession(
    { ...services, gateways: () => confused },
    { token, body, ip: '203.0.113.9', locale: null },
  )
  return responseOf(paid)
}

describe('a gateway that responds with the reference of an earlier sale', () => {
  for (const [earlier, card] of [
    ['paid', undefined],
    ['reversed', PARTIAL],
  ] as const) {
    test(`${earlier}: nothing is shown as paid, and the outcome is unknown until a person or recovery has resolved it`, async () => {
      await using service = await openService()
      await service.app.startWorker()
      await using book = moneyRows(service.databaseUrl)
      const merchantRef = await paidSale(service, card)
      const before = (await book.operations('sale')).find((one) => one.merchant_ref === merchantRef)

      await rejects(payUnderReference(service, before?.gateway_ref ?? ''), { code: 'gateway_timeout' })

      const after = await book.operations('sale')
      deepEqual(
        after.find(({ id }) => id === before?.id),
        before,
      )
      equal(after.at(-1)?.state, 'IN_DOUBT')
      equal((await book.query('select from payment where session_id is not null')).length, card ? 0 : 1)
    })
  }
})
