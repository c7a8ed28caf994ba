import { deepEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { threeDsOf } from '../support/three-ds.ts'

describe('The id of an authentication whose digits look like a card number', () => {
  const digits = CARDS.visa
  /** Such an id occurs once in a few thousand random UUIDs. */
  const id = `ddd_01a20589-${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8, 12)}-${digits.slice(12)}abcdef01`
  let service: TestService
  before(async () => {
    service = await openService()
    await setBusiness(service, { three_ds_enabled: true })
  })
  after(() => service.close())

  test('is not taken for one: authenticate does not know it, and pay needs another', async () => {
    const token = await merchantOf(service).sessionToken()
    const response = await threeDsOf(service).authenticate(token, id)
    deepEqual([response.status, response.body.code], [404, 'not_found'])
    const paid = await payerOf(service).pay(token, { ...payBody(), three_ds_id: id })
    deepEqual([paid.status, paid.body.code], [408, 'three_ds_expired'])
  })
})
