import { hash } from 'node:crypto'
import { html } from 'ghtml'
import type { Locale } from '../../../contract/payment-page.ts'
import { BRIDGE_TEXTS } from './bridge-texts.ts'

// The scripts are the same in every document, so that the policy can name them by their hash. Id and origin are in the
// body of the document.

/** Gives the page that frames the document a hint to ask the service what happened. @see TDS-7 */
const WAKE = `const { id, origin } = document.body.dataset
const wake = () => parent.postMessage({ type: 'rc:ddd', id }, origin)`

const RETURN_SCRIPT = `${WAKE}
wake()`

/** Opens the bank's page in the inner frame, and passes on the hint that comes back from there. */
const BRIDGE_SCRIPT = `${WAKE}
const [form] = document.forms
const bank = document.querySelector('iframe')
addEventListener('message', ({ origin: sender, source, data }) => {
  if (sender === origin && source === bank.contentWindow && data?.type === 'rc:ddd' && data.id === id) wake()
})
form.hidden = true
form.submit()`

const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}html,body{height:100%;margin:0}
body,main{display:flex;flex-direction:column}main,iframe{flex:1}iframe{width:100%;border:0}[hidden]{display:none}
h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}form,p{margin:0;padding:1rem;text-align:center}button{font:inherit;min-height:44px;padding:.5rem 1rem}`

const source = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
export const BRIDGE_SCRIPT_SOURCE = source(BRIDGE_SCRIPT)
export const RETURN_SCRIPT_SOURCE = source(RETURN_SCRIPT)
export const STYLE_SOURCE = source(STYLE)

export interface DocumentFrame {
  locale: Locale
  /** `ddd_session_id`; empty if the path has none. */
  id: string
  /** Origin of the page that frames the document. */
  origin: string
}

export interface BankForm {
  /** URL of the bank. */
  action: string
  /** Origin of that URL, to which payment and the passkeys of the device are delegated. */
  bankOrigin: string
  field: { name: string; value: string }
}

/**
 * Returns a form that submits itself to the bank, in a frame that cannot navigate the page around it.
 *
 * @see TDS-23
 */
export function bridgeDocument(frame: DocumentFrame, { action, bankOrigin, field }: BankForm): string {
  const { title, go } = BRIDGE_TEXTS[frame.locale]
  // Without an origin, the features would be delegated to the origin of `src`, which a form's target does not have.
  const allow = `payment ${bankOrigin}; publickey-credentials-get ${bankOrigin}`
  return document(
    frame,
    BRIDGE_SCRIPT,
    html`<form method="post" action="${action}" target="bank"><input type="hidden" name="${field.name}" value="${field.value}">
<button>${go}</button></form>
<iframe name="bank" title="${title}" sandbox="allow-forms allow-scripts allow-same-origin allow-popups" allow="${allow}"></iframe>`,
  )
}

/** Returns the document shown after the bank's page has posted the browser back, or if a step is over. */
export function returnDocument(frame: DocumentFrame, text: 'returned' | 'over'): string {
  return document(frame, RETURN_SCRIPT, html`<p role="status">${BRIDGE_TEXTS[frame.locale][text]}</p>`)
}

function document({ locale, id, origin }: DocumentFrame, script: string, content: string): string {
  return html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${BRIDGE_TEXTS[locale].title}</title><style>!${STYLE}</style></head>
<body data-id="${id}" data-origin="${origin}"><main aria-labelledby="title"><h1 id="title">${BRIDGE_TEXTS[locale].title}</h1>
!${content}</main><script>!${script}</script></body>
</html>`
}
