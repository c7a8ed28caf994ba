// Letters: composed after many bills at once, rendered, and printed; the cost of each, and its length.
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { composeDueOfAll } from '../server/emails/compose/compose-due.ts'
import { renderInvoice } from '../server/emails/invoices/render-invoice.ts'
import { buildMessage } from '../server/emails/send/build-message.ts'
import { exampleInvoice } from '../test/support/example-invoice.ts'
import { letterSamples } from '../test/support/letter-samples.ts'
import { newLetter } from '../test/support/new-letter.ts'
import { chargeDue, fillTo, openWorker, templateOf } from './bills.ts'
import { costBetween, type MeasuredDatabase, read } from './cost.ts'
import type { Target } from './processes.ts'
import { median, table } from './report.ts'

export interface LettersOptions {
  /**
   * Number of bills that are charged at once. Each has a letter to the customer, with an invoice, and one to the
   * merchant.
   */
  due: number
  rounds: number
  seconds: number
}

interface Round {
  billsMs: number
  lettersMs: number
  letters: number
  statements: number
  /** Processor time of one letter. */
  nodeMs: number
  postgresMs: number
  logKilobytes: number
}

/**
 * Measures letters.
 *
 * @param ours the service, which does not run workers and has stored the card
 */
export async function measureLetters(
  ours: Target,
  database: MeasuredDatabase,
  { due, rounds, seconds }: LettersOptions,
): Promise<void> {
  const done = await composeRounds(ours, database, { due, rounds })
  const of = (what: (round: Round) => number, digits = 0) => median(done.map(what)).toFixed(digits)
  console.log(`\nLetters of ${due} bills at once, one worker: medians of ${rounds} rounds`)
  console.log(
    table(
      ['bills ms', 'letters ms', 'letters /s', 'statements a letter', 'node ms', 'postgres ms', 'log KB'],
      [
        [
          of((round) => round.billsMs),
          of((round) => round.lettersMs),
          of((round) => (round.letters / round.lettersMs) * 1_000),
          of((round) => round.statements / round.letters, 2),
          of((round) => round.nodeMs, 2),
          of((round) => round.postgresMs, 2),
          of((round) => round.logKilobytes, 1),
        ],
      ],
    ),
  )
  await measureRendering(seconds)
}

async function composeRounds(
  ours: Target,
  database: MeasuredDatabase,
  { due, rounds }: Pick<LettersOptions, 'due' | 'rounds'>,
): Promise<Round[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const services = await openWorker(database.url)
  const statements = countStatements()
  const self = { pid: process.pid }
  const done: Round[] = []
  try {
    const items = [{ id: ours.businessId, priceId: await makePrice(ours), quantity: 1 }]
    await fillTo(client, { ...(await templateOf(client, ours.businessId)), items }, due * (rounds + 1))
    // The first round is for warming up: compilation, and modules that are loaded once.
    for (let round = 0; round <= rounds; round++) {
      const billsMs = (due / (await chargeDue(client, services, due))) * 1_000
      const [before, counted, began] = [await read(self, database), statements.count, performance.now()]
      await composeDueOfAll(services)
      const lettersMs = performance.now() - began
      const inStatements = statements.count - counted
      const after = await read(self, database)
      const { rows } = await client.query<{ count: number }>('select count(*)::int as count from letter')
      const letters = (rows[0]?.count ?? 0) - done.reduce((sum, one) => sum + one.letters, 0)
      done.push({ billsMs, lettersMs, letters, statements: inStatements, ...costBetween(before, after, letters) })
    }
  } finally {
    statements.stop()
    await services.close()
    await client.end()
  }
  return done.slice(1)
}

/** Creates a price, whose product and amount appear on an invoice. */
async function makePrice({ url, apiKey }: Target): Promise<string> {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { id: string }).id
  }
  const product = await post('/products', { name: 'Gold plan' })
  return post('/prices', { product, unit_amount: 1_000, recurring: { interval: 'month' } })
}

/** Counts the statements of this process, including those that begin and end a transaction. */
function countStatements(): { count: number; stop(): void } {
  const { query } = pg.Client.prototype
  const counted = {
    count: 0,
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    counted.count += 1
    return Reflect.apply(query, this, given)
  } as typeof query
  return counted
}

/** Measures every letter in every language, and an invoice of one page. */
async function measureRendering(seconds: number): Promise<void> {
  const samples = await letterSamples()
  const renderedPerSecond = (await perSecond(seconds, letterSamples)) * samples.length
  const pagesPerSecond = await perSecond(seconds, () => renderInvoice(exampleInvoice(), 'en'))
  const content = await renderInvoice(exampleInvoice(), 'en')
  const invoice = { fileName: 'INV-000042.pdf', mediaType: 'application/pdf', content }
  const htmlBytes: number[] = []
  const messageBytes: number[] = []
  const withInvoice: number[] = []
  for (const { subject, html, text, locale } of samples) {
    const letter = { ...newLetter(), subject, html, text, locale, attempts: 1, firstAttemptAt: new Date() }
    const message = async (attachment: typeof invoice | null) =>
      (await buildMessage(letter, { from: 'billing@pay.example', attachment })).bytes.length
    htmlBytes.push(Buffer.byteLength(html))
    messageBytes.push(await message(null))
    withInvoice.push(await message(invoice))
  }
  console.log(`\nRendering, one core: ${samples.length} letters in every language, and a page of an invoice`)
  const heads = ['letters /s', 'PDF pages /s', 'HTML bytes', 'message bytes', 'with its invoice', 'PDF bytes']
  const figures = [renderedPerSecond, pagesPerSecond, ...[htmlBytes, messageBytes, withInvoice].map(median)]
  console.log(table(heads, [[...figures, content.length].map((figure) => figure.toFixed(0))]))
}

async function perSecond(seconds: number, work: () => Promise<unknown>): Promise<number> {
  await work()
  const began = performance.now()
  let done = 0
  for (; performance.now() - began < seconds * 1_000; done++) await work()
  return done / ((performance.now() - began) / 1_000)
}
