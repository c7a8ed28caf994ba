import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { send } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { openService, type TestService } from '../support/service.ts'

const PAGE = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('{base_url}/', () => {
  let staging: TestService
  let production: TestService
  before(async () => {
    staging = await openService()
    production = await openService({ config: { environment: 'production' } })
  })
  after(async () => {
    await staging.close()
    await production.close()
  })

  /** Returns the configured URL; a page that is opened under a different name is redirected there first (OPS-124). */
  const home = ({ url }: TestService) => url.replace('127.0.0.1', 'localhost')

  test('leads a browser to the reference in staging', async () => {
    const { status, headers } = await send(`${home(staging)}/`, { headers: PAGE, redirect: 'manual' })
    deepEqual([status, headers.get('location'), headers.get('vary')], [302, '/docs', 'accept'])
    const followed = await send(home(staging), { headers: PAGE })
    equal(followed.status, 200)
    match(followed.headers.get('content-type') ?? '', /^text\/html/)
  })

  test('describes itself in production', async () => {
    const { status, headers, body } = await send(`${home(production)}/`, { headers: PAGE, redirect: 'manual' })
    equal(status, 200)
    match(headers.get('content-type') ?? '', /^text\/plain/)
    match(body, /payment API/)
  })

  test('is an unknown path for programs', async () => {
    for (const { url } of [staging, production]) {
      for (const accept of ['*/*', 'application/json', '']) {
        assertRefused(await send(`${url}/`, { headers: { accept } }), 404, 'not_found')
      }
    }
  })
})
