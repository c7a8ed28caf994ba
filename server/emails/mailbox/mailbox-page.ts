import { html } from 'ghtml'
import type { Letter } from '../letter.ts'
import type { LetterSummary } from '../letter-queries.ts'
import { MAILBOX_STYLE } from './mailbox-style.ts'

// Pages of the mailbox: a staging tool for developers, in English.

export interface MailboxFrame {
  nonce: string
  /** Whether letters are also sent. */
  isSending: boolean
  /** Whether letters to people of the dashboard are hidden. */
  hidesPeople: boolean
}

const STATUS: Record<Letter['status'], string> = {
  pending: 'Waiting',
  sent: 'Sent',
  kept: 'Kept',
  failed: 'Failed',
}

/** Returns the list page. @param older path of the next page; `null` on the last one */
export function listPage(
  frame: MailboxFrame,
  { letters, isFirst, older }: { letters: readonly LetterSummary[]; isFirst: boolean; older: string | null },
): string {
  const newest = isFirst ? '' : '<a href="/mailbox">Newest letters</a>'
  const next = older === null ? '' : html`<a href="${older}" rel="next">Older letters</a>`
  const pager =
    newest || next ? html`<nav class="pager" aria-label="Pages">!${newest || '<span></span>'}!${next}</nav>` : ''
  const list = letters.length === 0 ? EMPTY : html`<ol class="letters" role="list">!${letters.map(listItem)}</ol>`
  return document(
    frame,
    'Mailbox',
    html`<header class="head"><h1>Mailbox</h1><p class="muted">Every letter of this service. ${
      frame.isSending ? 'They are sent through the mail server, too.' : 'SMTP_URL is not set, so none of them was sent.'
    }</p>!${frame.hidesPeople ? HIDDEN : ''}</header>
<main class="panel">!${list}</main>!${pager}`,
  )
}

const HIDDEN =
  '<p class="muted">Without letters to people of the dashboard: their links let in whoever has them. The link that <code>npm run -s dashboard -- mailbox</code> prints shows them, too.</p>'

const EMPTY =
  '<div class="empty"><h2>No letters yet</h2><p class="muted">They appear here when a subscription is created, paid or declined.</p></div>'

const listItem = (letter: LetterSummary) => html`<li>
<a href="/mailbox/${letter.id}">${letter.subject || 'Without a subject'}</a>!${status(letter)}
<span class="small">To ${letter.recipient}</span>!${time(letter, 'small muted')}
<span class="small muted">${letter.businessName} &middot; ${kind(letter)}</span>
</li>`

export function letterPage(
  frame: MailboxFrame,
  letter: Letter & Pick<LetterSummary, 'businessName' | 'timeZone'>,
): string {
  const { id, subject, senderName, recipient, replyTo, businessName, locale, lastError, invoiceId, text } = letter
  const facts = [
    ['From', html`${senderName}`],
    ['To', html`${recipient}`],
    ['Reply to', replyTo === null ? null : html`${replyTo}`],
    ['Date', time(letter)],
    ['Business', html`${businessName}`],
    ['Letter', html`${kind(letter)}, ${locale}`],
    ['Status', status(letter)],
    ['Last error', lastError === null ? null : html`${lastError}`],
    ['Attached', invoiceId === null ? null : html`<a href="/mailbox/${id}/invoice.pdf">Invoice (PDF)</a>`],
  ].filter(([, value]) => value !== null)
  return document(
    frame,
    subject,
    html`<nav aria-label="Mailbox"><a class="back" href="/mailbox">All letters</a></nav>
<main class="letter">
<h1>${subject || 'Without a subject'}</h1>
<dl class="panel facts">!${facts.map(([name, value]) => html`<dt>${name}</dt><dd>!${value}</dd>`)}</dl>
<section class="section" aria-labelledby="as-html"><h2 id="as-html">HTML</h2>
<div class="panel"><iframe title="The letter as HTML" src="/mailbox/${id}/html" sandbox="!${SANDBOX}"></iframe></div></section>
<section class="section" aria-labelledby="as-text"><h2 id="as-text">Text</h2><pre class="panel">${text}</pre></section>
</main>`,
  )
}

/** Without scripts. Pictures need the origin, because other origins may not load them; links open a new tab. */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/** Returns the letter's own HTML. Its links open outside the frame, because the target pages refuse to be framed. */
export const letterHtml = ({ html: body }: Pick<Letter, 'html'>): string =>
  body.replace(/<head[^>]*>/i, (head) => `${head}<base target="_blank">`)

/** Returns the content security policy of a letter. @param dashboardUrl where logos are loaded from */
export const letterPolicy = (dashboardUrl: string): string =>
  [
    `sandbox ${SANDBOX}`,
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: ${dashboardUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const kind = ({ kind: name, audience }: Pick<Letter, 'kind' | 'audience'>) =>
  `${name.replaceAll('_', ' ')}, to the ${audience}`

const status = ({ status: word }: Pick<Letter, 'status'>) => html`<span class="status ${word}">${STATUS[word]}</span>`

/** Shows a time in the time zone of the business. */
function time({ createdAt, timeZone }: Pick<LetterSummary, 'createdAt' | 'timeZone'>, style = ''): string {
  const text = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(createdAt)
  return html`<time class="${style}" datetime="${createdAt.toISOString()}">${text}</time>`
}

const document = ({ nonce }: MailboxFrame, title: string, body: string) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} &ndash; Rialto mailbox</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style nonce="${nonce}">!${MAILBOX_STYLE}</style></head>
<body><div class="page">!${body}</div></body></html>`
