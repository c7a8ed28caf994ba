// What 3-D Secure adds between the click on Pay and the result, in a real Chromium: the same card without it,
// frictionless, and with the issuer's method, whose page is also measured alone. They alternate, so that a busy machine
// affects all of them.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { threeDsTestCard } from '../server/three-d-secure/simulator/test-cards.ts'
import { type BankAlone, openBankAlone } from './bank-alone.ts'
import { type PlainBrowser, startPlainBrowser } from './plain-browser.ts'
import type { Target } from './processes.ts'
import { median, table } from './report.ts'

/** Time for which the service caches the settings of a business, and a bit more. */
const SETTINGS_MS = 1_100
const PATHS = {
  'without 3-D Secure': { card: threeDsTestCard('visa', '2100'), enabled: false },
  frictionless: { card: threeDsTestCard('visa', '2100'), enabled: true },
  'with the method': { card: threeDsTestCard('visa', '2000'), enabled: true },
}
type Path = keyof typeof PATHS
const BANK = "the bank's page alone"
type Times = Record<Path | typeof BANK, number[]>

export async function measureThreeDs(target: Target, databaseUrl: string, rounds: number): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const bank = await openBankAlone()
  const browser = await startPlainBrowser()
  const times: Times = { 'without 3-D Secure': [], frictionless: [], 'with the method': [], [BANK]: [] }
  try {
    for (let round = -1; round < rounds; round++) {
      // The first round is for warming up.
      const kept = round < 0 ? null : times
      await measureRound({ target, database, bank, browser }, (path, ms) => kept?.[path].push(ms))
    }
  } finally {
    await browser.close()
    await bank.close()
    await database.end()
  }
  report(times, rounds)
}

interface Measured {
  target: Target
  database: pg.Client
  bank: BankAlone
  browser: PlainBrowser
}

async function measureRound(
  { target, database, bank, browser }: Measured,
  note: (path: keyof Times, ms: number) => void,
): Promise<void> {
  for (const [path, { card, enabled }] of Object.entries(PATHS) as [Path, (typeof PATHS)[Path]][]) {
    await database.query('update business set three_ds_enabled = $1', [enabled])
    await sleep(SETTINGS_MS)
    note(path, await payMs(browser, target, card))
  }
  note(BANK, await bank.measure(browser))
}

function report(times: Times, rounds: number): void {
  const base = median(times['without 3-D Secure'])
  const rows = Object.entries(times).map(([path, all]) => {
    const middle = median(all)
    const range = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`
    const added = path === BANK ? '' : `${(middle - base).toFixed(1)} (× ${(middle / base).toFixed(2)})`
    return [path, `${middle.toFixed(1)} (${range})`, added]
  })
  const own = median(times['with the method']) - base - median(times[BANK])
  rows.push(["with the method, beyond the bank's page", '', own.toFixed(1)])
  console.log(`\n3-D Secure: from the click on Pay to the result, medians of ${rounds}`)
  console.log(table(['path', 'ms (low to high)', 'added'], rows))
}

/** Measures until the page shows that the payment is approved. */
async function payMs(browser: PlainBrowser, target: Target, cardnumber: string): Promise<number> {
  const page = await browser.open(await createSession(target))
  try {
    const fields = {
      cardnumber,
      exp: '04/31',
      cvc: '123',
      ccname: 'Ana Roy',
      email: 'ana@example.com',
      postal: '10001',
    }
    return await page.evaluate<number>(`(${fillAndPay})(${JSON.stringify(fields)})`)
  } finally {
    await page.close()
  }
}

async function createSession({ url, createPath, headers }: Target): Promise<string> {
  const response = await fetch(url + createPath, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount_total: 25.99,
      customer_email: 'buyer@example.com',
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
    }),
  })
  const { checkout_session: session } = (await response.json()) as { checkout_session?: { checkout_url: string } }
  if (!session) throw new Error(`A session was refused: ${response.status}`)
  return session.checkout_url
}

/** Runs in the page. */
async function fillAndPay(fields: Record<string, string>): Promise<number> {
  for (const [name, value] of Object.entries(fields)) {
    const field = document.querySelector<HTMLInputElement>(`[name=${name}]`)
    if (!field) continue
    field.focus()
    field.value = value
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
  // Waits for requests that the card's number has triggered.
  await new Promise((resolve) => setTimeout(resolve, 300))
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(document.body.innerText)), 20_000)
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.closed [data-fill=receipt]')?.textContent) return
      observer.disconnect()
      resolve(performance.now() - clickedAt)
    }).observe(document, { subtree: true, childList: true })
    const clickedAt = performance.now()
    document.querySelector<HTMLElement>('#pay')?.click()
  })
}
