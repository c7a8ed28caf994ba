import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import { openView } from '../support/payment-page-data.ts'
import type { ScenarioFrame } from '../support/payment-page-fixture.ts'
import { THREE_DS } from '../support/three-ds-steps.ts'

describeInBrowser('the payment page as it is delivered', ({ page, newPage, fixture, open }) => {
  test('CAS-40: the headers are those of the page, and the page has one script, whose hash matches', async () => {
    const { response } = await open()
    const headers = response?.headers() ?? {}
    const nonce = /<style nonce="([^"]+)"/.exec((await response?.text()) ?? '')?.[1]?.replaceAll('&#61;', '=')
    assert.deepEqual((headers['content-security-policy'] ?? '').split('; '), [
      "default-src 'none'",
      `script-src ${new URL(page.url()).origin}${fixture.script.path}`,
      `style-src 'nonce-${nonce}'`,
      "img-src 'self' data:",
      `connect-src ${fixture.apiOrigin}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      'report-to csp',
    ])
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual(
      await page.$$eval('script[src]', (scripts) => scripts.map((script) => script.getAttribute('integrity'))),
      [fixture.script.integrity],
    )
  })

  test('CAS-41: scripts that somebody puts into the page do not run', async () => {
    const violations: string[] = []
    page.on('console', (message) => violations.push(message.text()))
    await page.route('**/customer/checkout/*', async (route) => {
      const response = await route.fetch()
      const skimmers = '<script>window.skimmed = true</script><script src="/assets/skim.js"></script>'
      await route.fulfill({ response, body: (await response.text()).replace('</body>', `${skimmers}</body>`) })
    })
    await open()
    assert.equal(await page.evaluate(() => 'skimmed' in window), false)
    assert.equal(violations.filter((text) => /script-src/.test(text)).length, 2, violations.join())
    const assignment = page.evaluate(() => {
      document.body.innerHTML = '<p>Pay here instead</p>'
    })
    await assert.rejects(assignment, /TrustedHTML/)
  })

  test('the page loads nothing but itself and its script, and breaks none of its own rules', async () => {
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    page.on('console', (message) => complaints.push(message.text()))
    const opened = await open()
    await page.fill('#cardnumber', '4242')
    await page.click('#pay')
    assert.deepEqual(requests, [new URL(opened.url).pathname, fixture.script.path])
    assert.deepEqual(complaints, [])
  })

  const ANA = { id: '0198c0de-0000-7000-8000-0000000000c1', name: 'Ana Roy', email: 'ana@example.com', phone: null }
  const ASKING_LESS = { customer: ANA }
  const ASKING_MORE = { customer: null, three_ds: THREE_DS }
  const ASKING_THE_NAME = { customer: ANA, three_ds: THREE_DS }

  for (const locale of ['en', 'fr-CA', 'es'])
    test(`PAG-4: the modal’s page fits on a small screen, with what 3-D Secure asks for too, in ${locale}`, async () => {
      await newPage({ viewport: { width: 360, height: 640 } })
      for (const data of [{}, ASKING_LESS, ASKING_MORE, ASKING_THE_NAME]) {
        const view = (frame: ScenarioFrame) => openView({ ...frame, surface: 'rapid' }, { data })
        await open({ view }, `?locale=${locale}`)
        const height = await page.evaluate(() => document.querySelector('.page')?.getBoundingClientRect().height ?? 0)
        assert.ok(height > 0 && height <= 520, `The page is ${height} px high.`)
      }
    })

  test('1.16: nothing moves while the page becomes ready', async () => {
    await open()
    const cls = await page.evaluate(async () => {
      const shifts = new Promise<PerformanceEntry[]>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve([]), 500)
      })
      return ((await shifts) as unknown as { value: number }[]).reduce((sum, shift) => sum + shift.value, 0)
    })
    assert.ok(cls <= 0.02, `CLS is ${cls}.`)
  })
})
