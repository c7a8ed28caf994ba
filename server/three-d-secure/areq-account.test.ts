import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Areq, buildAreq } from './areq.ts'
import { authenticationRequest } from './contract/requests.ts'
import { type AuthenticationRequest, MESSAGE_VERSIONS } from './three-ds-server.ts'

// TDS-29

const changed = (change: Partial<AuthenticationRequest> = {}): AuthenticationRequest => ({
  ...authenticationRequest({ serverTransactionId: '3f1ed47a-2edc-4b0e-a4cf-bdb0f65d48c6' }),
  ...change,
})
const fieldsOf = async (areq: Promise<Areq>, ...names: string[]) => {
  const built = await areq
  return names.map((name) => built[name])
}
const RECURRING = { frequencyDays: 30, next: '2026-12-22', until: '2027-10-31', count: 12 }
const MONTHLY = { reason: 'recurring', recurring: RECURRING } as const

describe('What an AReq says', () => {
  const ACCOUNT = {
    createdAt: new Date('2026-11-20T10:00:00Z'),
    cardStoredAt: null,
    purchases: 2,
    dayCount: 1,
    yearCount: 3,
  }
  const account = (more: Partial<NonNullable<AuthenticationRequest['account']>> = {}) => ({
    asOf: new Date('2026-11-22T03:04:05Z'),
    ...ACCOUNT,
    ...more,
  })

  test('of a customer whom the merchant knows: how long, how often, and since when with this card', async () => {
    deepEqual(await fieldsOf(buildAreq(changed({ account: account() })), 'acctInfo'), [
      { chAccDate: '20261120', chAccAgeInd: '03', nbPurchaseAccount: '2', txnActivityDay: '1', txnActivityYear: '3' },
    ])
    const ages: [day: string, code: string][] = [
      ['2026-11-22', '03'],
      ['2026-10-24', '03'],
      ['2026-10-23', '04'],
      ['2026-09-23', '04'],
      ['2026-09-22', '05'],
    ]
    for (const [day, code] of ages) {
      const at = new Date(`${day}T00:00:00Z`)
      const [acctInfo] = await fieldsOf(
        buildAreq(changed({ account: account({ createdAt: at, cardStoredAt: at }) })),
        'acctInfo',
      )
      const { chAccAgeInd, paymentAccInd, paymentAccAge } = acctInfo as Record<string, string>
      deepEqual([chAccAgeInd, paymentAccInd, paymentAccAge], [code, code, day.replaceAll('-', '')])
    }
    const many = account({ purchases: 12_345, dayCount: 1_234, yearCount: 5_000 })
    const [counts] = await fieldsOf(buildAreq(changed({ account: many })), 'acctInfo')
    const { nbPurchaseAccount, txnActivityDay, txnActivityYear } = counts as Record<string, string>
    deepEqual([nbPurchaseAccount, txnActivityDay, txnActivityYear], ['9999', '999', '999'])
  })

  test('of goods that are shipped: to the billing address, or elsewhere; otherwise nothing is known', async () => {
    const { billing } = changed()
    const risk = async (shipping: AuthenticationRequest['shipping']) =>
      (await fieldsOf(buildAreq(changed({ shipping })), 'merchantRiskIndicator'))[0]
    deepEqual(await risk(billing), { shipIndicator: '01' })
    deepEqual(await risk({ ...billing, line1: '2 rue de l’Église' }), { shipIndicator: '03' })
    equal(await risk(null), undefined)
  })

  test('since 2.3.1 recurring payments have the day of the next one', async () => {
    for (const messageVersion of MESSAGE_VERSIONS) {
      const [day] = await fieldsOf(buildAreq(changed({ messageVersion, ...MONTHLY })), 'recurringDate')
      equal(day, messageVersion === '2.3.1' ? '20261222' : undefined)
    }
    const last = { reason: 'installment', recurring: { ...RECURRING, next: null } } as const
    equal('recurringDate' in (await buildAreq(changed({ messageVersion: '2.3.1', ...last }))), false)
  })
})
