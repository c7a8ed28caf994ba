import { readFile } from 'node:fs/promises'
import { once } from '../../lib/once.ts'
import { letterBrand } from './letter-brand.ts'
import type { LetterContent, LetterFrame, RenderedLetter } from './letter-view.ts'
import { type LetterWords, oneLine } from './letter-words.ts'
import { unlinked } from './unlinked-text.ts'

/** Output folder of server/browser-bundle/build-letters.ts. */
const BUILD = new URL('../../../build/letters/', import.meta.url)
const SUBJECT_MAX = 160

/** Compiled from letter.mjml. Every name in the layout must be a member of `values`; any other name throws. */
type Layout = (values: object) => string

/** Loaded with the first letter, to save memory in an idle process. */
const layout = once(async (): Promise<Layout> => {
  const { file } = JSON.parse(await readFile(new URL('manifest.json', BUILD), 'utf8')) as { file: string }
  const { default: handlebars } = (await import('handlebars/runtime.js')) as unknown as {
    default: typeof import('handlebars')
  }
  const { default: compiled } = await import(new URL(file, BUILD).href)
  return handlebars.template(compiled)
})

/** Returns a letter as it is sent: as HTML, and as plain text with the same content. */
export async function renderLetter(
  given: LetterWords,
  linked: LetterContent,
  frame: LetterFrame,
): Promise<RenderedLetter> {
  const render = await layout()
  const words = { ...given, business: unlinked(given.business) }
  const content = unlinkedContent(linked)
  const subject = shortened(oneLine(content.subject))
  const foot = footOf(words, frame)
  const { logoUrl } = frame
  const brand = letterBrand(frame.brandColor)
  const html = render({
    ...content,
    ...foot,
    subject,
    lang: words.locale,
    sender: words.business,
    logoUrl,
    brand,
  })
  return { subject, html, text: textOf(words, content, foot) }
}

/** Removes links from everything but the button. */
function unlinkedContent(content: LetterContent): LetterContent {
  const { subject, preheader, heading, paragraphs, rows, notes } = content
  return {
    ...content,
    subject: unlinked(subject),
    preheader: unlinked(preheader),
    heading: unlinked(heading),
    paragraphs: paragraphs.map(unlinked),
    rows: rows.map((row) => ({ ...row, label: unlinked(row.label), value: unlinked(row.value) })),
    notes: notes.map(unlinked),
  }
}

interface Foot {
  contactBefore: string
  contacts: { label: string; url: string }[]
  why: string
}

function footOf({ say }: LetterWords, { audience, supportEmail, supportPhone }: LetterFrame): Foot {
  const contacts = [
    ...(supportEmail === null
      ? []
      : [{ label: oneLine(supportEmail), url: `mailto:${encodeURI(oneLine(supportEmail))}` }]),
    ...(supportPhone === null
      ? []
      : [
          { label: oneLine(supportPhone).replaceAll(' ', '\u00a0'), url: `tel:${supportPhone.replace(/[^+\d]/g, '')}` },
        ]),
  ]
  const why = unlinked(say(`why_${audience}`))
  if (contacts.length === 0 || audience !== 'customer') return { contactBefore: '', contacts: [], why }
  return { contactBefore: `${say('questions')} `, contacts, why }
}

function textOf({ business, say }: LetterWords, content: LetterContent, foot: Foot): string {
  const { heading, amount, paragraphs, rows, button, notes } = content
  const contact = `${foot.contactBefore}${foot.contacts.map(({ label }) => label).join(', ')}`
  const blocks = [
    business,
    heading.toUpperCase() + (amount === null ? '' : `\n${amount}`),
    ...paragraphs,
    rows.map(({ label, value }) => say('text_row', { label, value })).join('\n'),
    button ? say('text_row', { label: button.label, value: button.url }) : '',
    ...notes,
    '-- ',
    [contact, foot.why].filter(Boolean).join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n').replace('\n\n-- \n\n', '\n\n-- \n')}\n`
}

function shortened(subject: string): string {
  const characters = [...subject]
  return characters.length <= SUBJECT_MAX ? subject : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`
}
