import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readClientLibrary } from '../../server/browser-bundle/read.ts'
import { openService, type TestService } from '../support/service.ts'

// The client library as two services, each with its own form, serve it.

const RELEASED = fileURLToPath(new URL('../../browser-client/released/', import.meta.url))
const NAMES = ['rialto-checkout.js', 'rapid.js'] as const

describe('{base_url}/js/', () => {
  let services: [TestService, TestService]

  before(async () => {
    await buildBrowserBundles()
    const library = readClientLibrary()
    services = await Promise.all([
      openService({ library }),
      openService({ library, config: { dashboardUrl: 'https://pay.rialto.co.uk' } }),
    ])
  })
  after(() => Promise.all(services.map((service) => service.close())))

  const get = async (service: TestService, path: string) => {
    const response = await fetch(`${service.url}/js/${path}`, { signal: AbortSignal.timeout(10_000) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  for (const name of NAMES)
    test(`${name} has the origin of the service's own form built in, and is cached for a short time only`, async () => {
      const [mine, other] = await Promise.all(services.map((service) => get(service, name)))
      ok(mine?.text.includes(`\`${services[0].formUrl}\``))
      ok(other?.text.includes('`https://pay.rialto.co.uk`'))
      for (const one of [mine, other]) {
        equal(one?.text.includes('{{'), false)
        equal(one?.headers.get('content-type'), 'text/javascript; charset=utf-8')
        match(one?.headers.get('cache-control') ?? '', /^public, max-age=300/)
      }
    })

  test('a released version is on every service what was released, for ever, with the hashes for integrity', async () => {
    const versions = await readdir(RELEASED)
    ok(versions.length > 0)
    for (const service of services)
      for (const version of versions) {
        const { text, headers } = await get(service, `${version}/integrity.json`)
        equal(headers.get('content-type'), 'application/json')
        const hashes = JSON.parse(text)
        deepEqual(Object.keys(hashes).sort(), [...NAMES].sort())
        for (const name of NAMES) {
          const script = await get(service, `${version}/${name}`)
          equal(script.text, await readFile(`${RELEASED}${version}/${name}`, 'utf8'))
          equal(`sha384-${createHash('sha384').update(script.text).digest('base64')}`, hashes[name])
          equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
          equal(script.headers.get('access-control-allow-origin'), '*')
        }
      }
  })

  test('a version that was never released is not there', async () => {
    equal((await get(services[0], '0.0.9/rialto-checkout.js')).status, 404)
  })
})
