import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { LOCALES } from '../../../contract/payment-page.ts'
import { copiedTexts } from '../../../test/support/copied-texts.ts'
import { exampleInvoice } from '../../../test/support/example-invoice.ts'
import { readPdf } from '../../../test/support/read-pdf.ts'
import { WORLD_TEXTS } from '../../../test/support/world-texts.ts'
import type { Cents } from '../../lib/money.ts'
import { loadFontsFor } from '../../pdf/fonts.ts'
import { pageNumber } from '../../pdf/letterhead.ts'
import type { InvoiceData } from './invoice.ts'
import { INVOICE_TEXTS } from './invoice-texts.ts'
import { renderInvoice } from './render-invoice.ts'

const DUE = { status: 'due', on: '2027-01-01', card: { brand: 'visa', last4: '4242' } } as const

const ONE_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const WORDS = 'A company with a name of many words '.repeat(8).slice(0, 255)
const EIGHT_LINES = Array.from({ length: 8 }, () => WORDS.slice(0, 100)).join('\n')
/** Longest values that a business and its customers may set. */
const LONGEST: Record<string, (data: InvoiceData) => void> = {
  'nothing long': () => {},
  'a seller of many words': ({ seller }) => void Object.assign(seller, { name: WORDS }),
  'a seller of one word': ({ seller }) => void Object.assign(seller, { name: ONE_WORD.repeat(3) }),
  'eight long lines of address and of registrations': ({ seller }) =>
    void Object.assign(seller, { postalAddress: EIGHT_LINES, taxRegistrations: EIGHT_LINES }),
  'a customer of one word': (data) =>
    void Object.assign(data, {
      customer: { name: ONE_WORD.repeat(3), email: `${'x'.repeat(60)}@${ONE_WORD}.example` },
    }),
  'lines of one word': ({ lines }) =>
    void lines.forEach((line) => void Object.assign(line, { name: ONE_WORD.repeat(3) })),
}

describe('A PDF invoice', () => {
  const EXPECTED = {
    en: [
      'Invoice',
      '$87.12 CAD paid on November 22, 2026',
      'Tax (14.975%) $11.08',
      'Credit card surcharge (2.4%) $2.04',
    ],
    'fr-CA': [
      ...['Facture', '87,12 $ CAD payés le 22 novembre 2026', 'Taxes (14,975 %) 11,08 $'],
      'Du 22 novembre 2026 au 21 décembre 2026',
    ],
    es: ['Factura', 'CAD 87.12 pagados el 22 de noviembre de 2026', 'Fecha de emisión', 'Descripción', 'Página 1 de 1'],
  }
  for (const locale of ['en', 'fr-CA', 'es'] as const) {
    test(`has everything that was issued, in ${locale} (LTR-16)`, async () => {
      const { pages, info, roles } = await readPdf(await renderInvoice(exampleInvoice(), locale))
      const page = pages.join().replace(/\u00A0/g, ' ')
      const always = [
        'INV-000042',
        'Studio Café Montréal',
        'GST/TPS 123456789 RT0001',
        'Zoé Lefèvre-Nuñez',
        'zoe@example.com',
      ]
      const lines = ['Abonnement – accès illimité à l’atelier', 'Casier', 'Visa •••• 4242', 'America/Toronto']
      for (const part of [...always, ...lines, ...EXPECTED[locale]]) ok(page.includes(part), `${part} in ${page}`)
      equal(info.Language, locale)
      match(String(info.Title), /INV-000042 – Studio Café Montréal$/)
      for (const role of ['Document', 'H1', 'P', 'Table', 'TR', 'TH', 'TD']) ok(roles.has(role), role)
    })
  }

  test('can be read after another one with characters that are made of its own', async () => {
    const read = async (name: string) => {
      const customer = { name, email: null }
      return (await readPdf(await renderInvoice(exampleInvoice({ customer }), 'en'))).pages.join()
    }
    // The second character of each pair is drawn as part of the first.
    for (const [part, whole] of ['’”', '‘“', '.…', ',;', '’ŉ', '‚„', 'eé', 'oœ']) {
      await read(`a${whole}b`)
      ok((await read(`a${part}b`)).includes(`a${part}b`), part)
    }
  })

  test('says when what is due will be charged, and which installment it is', async () => {
    const invoice = exampleInvoice({ payment: DUE, installment: { number: 3, of: null }, period: null })
    const { pages } = await readPdf(await renderInvoice(invoice, 'en'))
    match(pages[0] ?? '', /\$87\.12 CAD due on January 1, 2027 Payment 3 Description/)
    match(pages[0] ?? '', /Amount due \$87\.12 CAD Your Visa •••• 4242 will be charged on January 1, 2027\./)
  })

  test('prints the day of the time zone in which it was issued', async () => {
    const late = { ...exampleInvoice({ payment: DUE }), issuedAt: new Date('2026-11-23T04:59:00Z') }
    match((await readPdf(await renderInvoice(late, 'en'))).pages[0] ?? '', /Date of issue November 22, 2026/)
  })

  test('has all of its fonts in it, and has each character of its texts in them', async () => {
    const bytes = (await renderInvoice(exampleInvoice(), 'fr-CA')).toString('latin1')
    const names = [...bytes.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name = '']) => name)
    ok(names.length > 0)
    for (const name of names) match(name, /^[A-Z]{6}\+Inter/)
    equal(bytes.match(/\/FontFile2 /g)?.length, 2)
    const letters =
      'ÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸŒÆàâäçéèêëîïôöùûüÿœæÁÍÓÚÑáíóúñ¿¡ŁłŠšŽžĐđŐőŰűĞğİıŞşȘșȚțĀāĒēĪīŪū\u00ab\u00bb“”‘’–—…€$·•\u00A0'
    const printed = JSON.stringify(INVOICE_TEXTS) + letters
    const fonts = await loadFontsFor(printed)
    ok(fonts.isPlain(printed))
  })

  test('is the same bytes each time, also with a logo (LTR-10)', async () => {
    const invoice = { ...exampleInvoice(), logo: { mediaType: 'image/png', hash: 'aa', bytes: png() } }
    const first = await renderInvoice(invoice, 'es')
    deepEqual(await renderInvoice(invoice, 'es'), first)
    match(first.toString('latin1'), /\/Subtype \/Image/)
  })

  test('goes over pages when its lines do, each with the header of the table and its number', async () => {
    const lines = Array.from({ length: 55 }, (_, index) => ({
      name: `Line no. ${index + 1};`,
      quantity: 2,
      unitAmount: 150 as Cents,
    }))
    const invoice = exampleInvoice({ lines, tax: null, surcharge: null, total: 16_500 as Cents })
    const { pages } = await readPdf(await renderInvoice(invoice, 'en'))
    equal(pages.length, 3)
    for (const [index, page] of pages.entries()) {
      match(page, new RegExp(`Page ${index + 1} of 3`))
      match(page, /Description Qty Unit price Amount/)
    }
    for (const { name } of lines) equal(pages.join().split(name).length, 2, name)
    match(pages[2] ?? '', /Total \$165\.00/)
  })

  for (const [what, change] of Object.entries(LONGEST))
    test(`prints nothing over anything else: ${what}`, async () => {
      const invoice = exampleInvoice()
      change(invoice.data)
      for (const locale of LOCALES) {
        const { pages, misplaced } = await readPdf(await renderInvoice(invoice, locale))
        deepEqual(misplaced, [], locale)
        for (const [index, page] of pages.entries())
          ok(page.includes(pageNumber(locale, index + 1, pages.length)), page)
      }
    })

  for (const [script, text] of Object.entries(WORLD_TEXTS))
    test(`LTR-151: prints names, address and lines in ${script}, and they are copied as they are`, async () => {
      const invoice = exampleInvoice()
      Object.assign(invoice.data.seller, { name: text, postalAddress: `${text}\n${text}` })
      invoice.data.customer.name = text
      for (const line of invoice.data.lines) line.name = text
      for (const locale of LOCALES) {
        const pdf = await renderInvoice(invoice, locale)
        const { pages, misplaced } = await readPdf(pdf)
        deepEqual(misplaced, [])
        equal(pages.length, 1)
        const copied = copiedTexts(pdf).join('')
        const found = (copied === '' ? (pages[0] ?? '') : copied).replace(/\s/g, '')
        // The text appears as brand, seller, two lines of address, customer, in the lines, and at the foot of the page.
        equal(found.split(text.normalize('NFC').replace(/\s/g, '')).length - 1, 6 + invoice.data.lines.length)
        ok(pages[0]?.includes('INV-000042'))
      }
    })

  test('prints a box for a character that no font has, and the rest as it is', async () => {
    const { pages } = await readPdf(
      await renderInvoice(exampleInvoice({ customer: { name: '🙂 王小明', email: null } }), 'en'),
    )
    match((pages[0] ?? '').replace(/\s/g, ''), /王小明/)
  })

  test('is on letter paper in the United States and Canada, and on A4 elsewhere', async () => {
    const sizeIn = async (country: string) => {
      const invoice = exampleInvoice()
      invoice.data.seller.country = country
      return (await readPdf(await renderInvoice(invoice, 'en'))).sizes[0]
    }
    deepEqual(await sizeIn('US'), [0, 0, 612, 792])
    deepEqual(await sizeIn('CA'), [0, 0, 612, 792])
    deepEqual(await sizeIn('FR'), [0, 0, 595, 842])
  })

  test('prints names as they are, without what turns or hides text', async () => {
    const invoice = exampleInvoice()
    invoice.data.customer.name = '<b>(Zoé) \\ %s\u202E\u0000\u200B</b>'
    const { pages } = await readPdf(await renderInvoice(invoice, 'en'))
    ok(pages[0]?.includes('<b>(Zoé) \\ %s</b>'), pages[0])
  })

  for (const [what, bytes] of Object.entries({
    'whose pixels are cut off': png().subarray(0, 50),
    'whose pixels are not compressed': png({ pixels: Buffer.from('none of it') }),
    'with a filter that does not exist': png({ pixels: deflateSync(Buffer.alloc(9 * 2, 9)) }),
    'that is larger than it says': png({ pixels: deflateSync(Buffer.alloc(1_000_000)) }),
  })) {
    test(`has the name of the business instead of a logo ${what}`, async () => {
      const invoice = { ...exampleInvoice(), logo: { mediaType: 'image/png', hash: 'aa', bytes } }
      const pdf = await renderInvoice(invoice, 'en')
      ok(!pdf.toString('latin1').includes('/Subtype /Image'))
      match((await readPdf(pdf)).pages[0] ?? '', /^Invoice Studio Café Montréal/)
    })
  }
})

/** Returns a picture of two by two pixels with transparency. */
function png({ pixels = deflateSync(Buffer.alloc(9 * 2)) } = {}): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
  }
  const header = Buffer.from('00000002000000020806000000', 'hex')
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}
