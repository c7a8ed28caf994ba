import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LOCALES } from '../../../contract/payment-page.ts'
import { copiedTexts } from '../../../test/support/copied-texts.ts'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { readPdf } from '../../../test/support/read-pdf.ts'
import { WORLD_TEXTS } from '../../../test/support/world-texts.ts'
import { excessOf } from '../../subscriptions/contracts/check-contract-text.ts'
import { type PrintedContract, renderContract } from './render-contract.ts'

const ID = '01939000-0000-7000-8000-000000000001'
const SIGNATURE = {
  name: 'Zoé Lefèvre-Nuñez',
  ip: '203.0.113.7',
  at: new Date('2026-11-22T15:04:05Z'),
  teamSeenThere: false,
}
const WORDS = 'A line of many words that says what both sides agree on. '
const ONE_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

function printed(contract: Partial<PrintedContract['contract']> = {}): PrintedContract {
  return {
    contract: {
      ...{ id: ID, status: 'signed', title: 'Subscription agreement', text: 'I agree.', signature: SIGNATURE },
      ...{ createdAt: new Date('2026-11-20T10:00:00Z'), ...contract },
    },
    sentAt: new Date('2026-11-21T10:00:00Z'),
    voidedAt: null,
    business: {
      ...{ name: 'Studio Café Montréal', country: 'CA', timeZone: 'America/Toronto', brandColor: '#0f766e' },
      ...{ supportEmail: 'aide@studio.example', supportPhone: null },
    },
    postalAddress: '1250, rue Saint-Denis\nMontréal (Québec)  H2X 3J6',
    logo: null,
    customer: { name: 'Zoé Lefèvre-Nuñez', email: 'zoe@example.com' },
  }
}

const read = async (contract: PrintedContract, locale: (typeof LOCALES)[number] = 'en') => {
  const { pages, ...rest } = await readPdf(await renderContract(contract, locale))
  return { ...rest, pages: pages.map((page) => page.replaceAll('\u00A0', ' ')) }
}

describe('A PDF contract', () => {
  const EXPECTED = {
    en: ['Status Signed', 'Signed by', 'November 22, 2026 at 10:04:05 a.m. EST (America/Toronto)', 'Page 1 of 1'],
    'fr-CA': ['État Signé', 'Signé par', '22 novembre 2026 à 10 h 04 min 05 s HNE (America/Toronto)', 'Page 1 de 1'],
    es: ['Estado Firmado', 'Firmado por', '22 de noviembre de 2026', 'Página 1 de 1'],
  }
  for (const locale of LOCALES)
    test(`has text, number, both sides and the signature, in ${locale} (DSH-38)`, async () => {
      const { pages, info, roles } = await read(printed({ text: 'I agree.\n\nWe agree.' }), locale)
      const [page = ''] = pages
      const always = ['Subscription agreement', ID, 'Studio Café Montréal', 'Zoé Lefèvre-Nuñez', 'zoe@example.com']
      for (const part of [...always, 'I agree.', 'We agree.', '203.0.113.7', ...EXPECTED[locale]])
        ok(page.includes(part), `${part} in ${page}`)
      equal(info.Language, locale)
      ok(String(info.Title).endsWith(`${ID} – Subscription agreement`), String(info.Title))
      for (const role of ['Document', 'H1', 'H2', 'P']) ok(roles.has(role), role)
    })

  for (const status of ['draft', 'sent', 'void'] as const)
    test(`that is not signed says so: ${status}`, async () => {
      const contract = { ...printed({ status, signature: null }), voidedAt: status === 'void' ? SIGNATURE.at : null }
      const [page = ''] = (await read(contract)).pages
      match(
        page,
        { draft: /Draft, not signed/, sent: /Sent, not signed/, void: /Status Void .*Void since November 22/ }[status],
      )
      match(page, /Signature Nobody has signed this contract\./)
      ok(!page.includes('Signed by'))
    })

  test('that was voided after its signature has both', async () => {
    const [page = ''] = (await read({ ...printed({ status: 'void' }), voidedAt: new Date('2026-12-01T00:00:00Z') }))
      .pages
    match(page, /Void since November 30, 2026 .*Signed by Zoé Lefèvre-Nuñez/)
  })

  test('can be copied from in Latin, Greek and Cyrillic', async () => {
    const text = 'Żółć, ça, ñandú – “Straße”; Η σύμβαση ισχύει· Договор действует: „Ёлка“, їжак.'
    const [page = ''] = (await read(printed({ text, title: 'Σύμβαση · Договор' }))).pages
    ok(page.includes(text), page)
    ok(page.includes('Σύμβαση · Договор'), page)
  })

  test('goes over pages with their numbers; no line is lost, cut off or printed over another', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => `(${index + 1}) ${WORDS}${WORDS}`.trim())
    const { pages, misplaced } = await read(printed({ text: lines.join('\n\n') }))
    ok(pages.length > 4)
    deepEqual(misplaced, [])
    for (const [index, page] of pages.entries()) match(page, new RegExp(`Page ${index + 1} of ${pages.length}`))
    // A line may continue on the next page, after the foot of the first.
    const feet = new RegExp(`Contract ${ID} · Studio Café Montréal Page \\d+ of \\d+`, 'g')
    const whole = pages.join(' ').replace(feet, '').replace(/\s+/g, ' ')
    for (const line of lines) equal(whole.split(line).length, 2, line)
    ok(pages.at(-1)?.includes('Signed by Zoé Lefèvre-Nuñez'))
  })

  test('has its signature on one page, wherever the text ends', async () => {
    for (let count = 12; count < 32; count++) {
      const { pages, misplaced } = await read(printed({ text: `${WORDS}\n\n`.repeat(count) }))
      const last = pages.findIndex((page) => page.includes('Signed by'))
      for (const part of ['Signature', '203.0.113.7', 'never changes.'])
        ok(pages[last]?.includes(part), `${count} ${part}`)
      deepEqual(misplaced, [], `${count}`)
    }
  })

  test('prints nothing over anything else, however long its parts are', async () => {
    const long = printed({
      ...{ title: ONE_WORD.repeat(3), text: `${ONE_WORD.repeat(20)}\n${WORDS.repeat(100)}` },
      signature: {
        ...SIGNATURE,
        teamSeenThere: true,
        name: WORDS.repeat(5).slice(0, 255),
        ip: '2001:db8:85a3:1234:5678:8a2e:370:7334',
      },
    })
    long.business.name = WORDS.repeat(5).slice(0, 255)
    long.postalAddress = Array.from({ length: 8 }, () => WORDS.repeat(2).slice(0, 100)).join('\n')
    long.customer = { name: ONE_WORD.repeat(3), email: `${'x'.repeat(60)}@${ONE_WORD}.example` }
    for (const locale of LOCALES) deepEqual((await read(long, locale)).misplaced, [], locale)
  })

  for (const [what, text] of Object.entries({
    'one word': 'a'.repeat(100_000),
    'one line': WORDS.repeat(2_000).slice(0, 100_000),
    'words that never break': 'a\u00A0'.repeat(50_000),
    'short lines': `${'a\n'.repeat(1_999)}a`,
    'short paragraphs': `${'a\n\n'.repeat(999)}a`,
    'paragraphs as long as fit': `${WORDS.repeat(2).slice(0, 98)}\n\n`.repeat(1_000).trim(),
    'two writings': 'aж'.repeat(50_000),
  }))
    test(`DSH-123: costs half a second of a processor, however the longest text is written: ${what}`, async () => {
      equal(excessOf(text), null)
      await renderContract(printed(), 'en')
      const before = cpuMs()
      const pdf = await renderContract(printed({ text }), 'en')
      const spent = cpuMs() - before
      ok(spent < 500, `${spent} ms`)
      const { pages } = await readPdf(pdf)
      ok(pages.length > 10)
      ok(pages.at(-1)?.includes('Signed by'))
    })

  test('lets others have their turn while a long text is drawn', async () => {
    await renderContract(printed(), 'en')
    const text = `${WORDS}\n\n`.repeat(900).trim()
    const { turns, longestMs } = await turnsDuring(() => renderContract(printed({ text }), 'en'))
    // Shaping yields a few times even on a quick machine; without breaks it would yield once, at the end.
    ok(turns >= 3 && longestMs < 200, `${turns} turns, the longest of ${longestMs} ms`)
  })

  for (const [script, text] of Object.entries(WORLD_TEXTS))
    test(`LTR-151: prints text, title, signature, names and address in ${script}, and they are copied as they are`, async () => {
      const contract = printed({ title: text, text: `${text}\n\n${text}`, signature: { ...SIGNATURE, name: text } })
      contract.business.name = text
      contract.postalAddress = text
      contract.customer.name = text
      const pdf = await renderContract(contract, 'en')
      const { pages, misplaced } = await readPdf(pdf)
      deepEqual(misplaced, [])
      equal(pages.length, 1)
      const copied = copiedTexts(pdf).join('').replace(/\s/g, '')
      const isInter = copied === ''
      const found = isInter ? (pages[0] ?? '').replace(/\s/g, '') : copied
      // Counts title, brand, both names, address, twice the text, and signature; the foot of the page truncates a long
      // brand.
      ok(found.split(text.normalize('NFC').replace(/\s/g, '')).length - 1 >= 8, found)
      deepEqual(lettersOf(pages[0] ?? '', text), lettersOf(text, text))
    })

  /** Counts how often each letter and digit of a text is found. */
  function lettersOf(found: string, text: string) {
    const letters = new Set(text.normalize('NFKC').match(/\p{L}/gu))
    return [...letters].filter((letter) => found.normalize('NFKC').includes(letter))
  }

  for (const [what, text] of Object.entries({
    Arabic: `${WORLD_TEXTS['Arabic with numbers']}. `.repeat(1_100),
    'Arabic in short paragraphs': `${WORLD_TEXTS.Arabic}\n\n`.repeat(900),
    Hindi: `${WORLD_TEXTS.Devanagari}। `.repeat(1_000),
    'Chinese without a space': `${WORLD_TEXTS['Simplified Chinese']}。`.repeat(1_000),
  }))
    test(`DSH-123: a long text lets others have their turn while its letters are shaped: ${what}`, async () => {
      await renderContract(printed({ text: text.slice(0, 1_000) }), 'en')
      const { longestMs, spentMs } = await turnsDuring(() => renderContract(printed({ text }), 'en'))
      ok(longestMs < 200, `${longestMs} ms`)
      ok(spentMs < 2_000, `${spentMs} ms`)
    })

  test('is the same bytes each time', async () => {
    deepEqual(await renderContract(printed(), 'es'), await renderContract(printed(), 'es'))
  })
})

/** Returns how often other work had its turn, and the processor time in total and between two turns. */
async function turnsDuring(work: () => Promise<unknown>) {
  let [turns, isDone, longestMs] = [0, false, 0]
  const began = cpuMs()
  let before = began
  const count = () => {
    turns += 1
    longestMs = Math.max(longestMs, cpuMs() - before)
    before = cpuMs()
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return { turns, longestMs, spentMs: cpuMs() - began }
}
