import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { claimedLetter } from '../../../test/support/new-letter.ts'
import { buildMessage, messageIdOf, UnusableLetter } from './build-message.ts'

const FROM = 'billing@pay.example'
const HEADERS = [
  'Auto-Submitted',
  'Content-Language',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Reply-To',
  'Subject',
  'To',
]
const PDF = { fileName: 'invoice.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7 …') }

/** Returns the headers of the message itself, unfolded. */
function headersOf(bytes: Buffer): Map<string, string> {
  const [head = ''] = bytes.toString('latin1').split('\r\n\r\n', 1)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
  equal(new Map(pairs).size, pairs.length, 'a header occurs twice')
  return new Map(pairs)
}

const build = (change: Parameters<typeof claimedLetter>[0] = {}, attachment: typeof PDF | null = null) =>
  buildMessage(claimedLetter(change), { from: FROM, attachment })

describe('A message', () => {
  test('has text, HTML and the invoice, and says that no person has written it', async () => {
    const letter = claimedLetter({ senderName: 'Corner Shop', replyTo: 'help@shop.example', locale: 'fr-CA' })
    const { from, to, bytes } = await buildMessage(letter, { from: FROM, attachment: PDF })
    deepEqual([from, to], [FROM, letter.recipient])
    const headers = headersOf(bytes)
    deepEqual([...headers.keys()].sort(), HEADERS)
    equal(headers.get('From'), 'Corner Shop <billing@pay.example>')
    equal(headers.get('To'), letter.recipient)
    equal(headers.get('Reply-To'), 'help@shop.example')
    equal(headers.get('Message-ID'), `<${letter.id}@pay.example>`)
    equal(headers.get('Message-ID'), messageIdOf(letter, FROM))
    equal(headers.get('Auto-Submitted'), 'auto-generated')
    equal(headers.get('Content-Language'), 'fr-CA')
    equal(headers.get('Date'), 'Sun, 22 Nov 2026 15:00:00 +0000')
    const text = bytes.toString()
    match(text, /Content-Type: text\/plain; charset=utf-8[\s\S]*Content-Type: text\/html; charset=utf-8/)
    match(text, /Content-Type: application\/pdf; name=invoice\.pdf/)
    match(text, /Content-Disposition: attachment; filename=invoice\.pdf/)
    match(text, new RegExp(PDF.content.toString('base64')))
  })

  test('is the same bytes for each attempt (LTR-10)', async () => {
    const letter = claimedLetter()
    const parts = { from: FROM, attachment: PDF }
    const first = await buildMessage(letter, parts)
    const second = await buildMessage({ ...letter, attempts: 7 }, parts)
    equal(second.bytes.toString(), first.bytes.toString())
  })

  test('carries long lines and all of Unicode', async () => {
    const line = 'Été 🍁 '.repeat(600)
    const { bytes } = await build({ text: line, html: `<p>${line}</p>` })
    const longest = Math.max(
      ...bytes
        .toString('latin1')
        .split('\r\n')
        .map(({ length }) => length),
    )
    equal(longest <= 998, true, `${longest}`)
    match(bytes.toString(), /=C3=89t=C3=A9|w4l0w6k/)
  })

  describe('cannot get a header, a recipient or a second address from a text (LTR-13)', () => {
    for (const [what, senderName, expected] of [
      [
        'line breaks',
        'Shop\r\nBcc: a@evil.example\r\n\r\nHello',
        '"Shop Bcc: a@evil.example Hello" <billing@pay.example>',
      ],
      ['an address', 'Shop <a@evil.example>', '"Shop <a@evil.example>" <billing@pay.example>'],
      ['a list', 'Shop, a@evil.example', '"Shop, a@evil.example" <billing@pay.example>'],
      ['quotes', 'Ann "x" <b@evil.example>, "y', '"Ann \\"x\\" <b@evil.example>, \\"y" <billing@pay.example>'],
      ['a group', 'Friends: a@evil.example;', '"Friends: a@evil.example;" <billing@pay.example>'],
      ['marks that turn text around', 'Shop\u202egpj.exe\u2066', '"Shop gpj.exe" <billing@pay.example>'],
      ['nothing visible', '\u0000\u200e ', 'billing@pay.example'],
    ] as const)
      test(`sender name with ${what}`, async () => {
        equal(headersOf((await build({ senderName })).bytes).get('From'), expected)
      })

    test('subject with line breaks, in Unicode, and very long', async () => {
      const subjectOf = async (subject: string) => headersOf((await build({ subject })).bytes).get('Subject')
      equal(await subjectOf('Paid\r\nX-Evil: 1'), 'Paid X-Evil: 1')
      equal(await subjectOf('Paid\u2028\u0085Bcc: a@evil.example'), 'Paid Bcc: a@evil.example')
      match((await subjectOf('Été\u202e')) ?? '', /^=\?UTF-8\?[BQ]\?[\w+/=]+\?=$/)
      equal((await subjectOf('x'.repeat(5_000)))?.length === undefined, false)
      equal(((await subjectOf('x'.repeat(5_000))) ?? '').length < 300, true)
    })

    for (const replyTo of [
      'a@shop.example, b@evil.example',
      'a@shop.example\r\nBcc: b@evil.example',
      'Ana <a@x.example>',
      '',
    ])
      test(`a reply address ${JSON.stringify(replyTo)} is left out`, async () => {
        equal(headersOf((await build({ replyTo })).bytes).get('Reply-To'), undefined)
      })

    for (const recipient of [
      'a@shop.example, b@evil.example',
      'a@shop.example;b@evil.example',
      'a@shop.example\r\nRCPT TO:<b@evil.example>',
      'a@shop.example\n',
      'Ana <a@shop.example>',
      '<a@shop.example>',
      '"a b"@shop.example',
      'a@shop.example b@evil.example',
      'a@[127.0.0.1]',
      'a@shop',
      '',
    ])
      test(`a recipient ${JSON.stringify(recipient)} is refused`, () => rejects(build({ recipient }), UnusableLetter))

    test('whatever the texts are', () =>
      fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.string({ unit: 'binary', maxLength: 60 }),
          async (senderName, subject) => {
            const { bytes } = await build({ senderName, subject, replyTo: 'help@shop.example' })
            const headers = headersOf(bytes)
            // An empty subject has no header.
            deepEqual([...new Set([...headers.keys(), 'Subject'])].sort(), HEADERS)
            equal(headers.get('From')?.endsWith(headers.get('From') === FROM ? FROM : `<${FROM}>`), true)
          },
        ),
        { numRuns: 300 },
      ))
  })
})
