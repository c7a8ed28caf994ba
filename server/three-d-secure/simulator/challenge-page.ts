import { type BankPage, bankDocument, escapeHtml } from './bank-document.ts'
import { type BankTexts, bankTexts } from './bank-texts.ts'
import type { AcceptedRequest, Transaction } from './transactions.ts'

export const CODE_TRIES = 3

/** ISO 4217 numbers of the supported currencies. */
const CURRENCIES: Record<string, string> = { '840': 'USD', '124': 'CAD' }

/**
 * Returns the page where the payer enters the code. `wrong` is the message about the last attempt; `null` before the
 * first.
 */
export function challengePage(transaction: Transaction, request: AcceptedRequest, wrong: string | null): BankPage {
  const texts = bankTexts(request.language)
  const title = wrong === null ? texts.challenge : `${texts.error}: ${texts.challenge}`
  const body = `<h1>${escapeHtml(texts.challenge)}</h1>
${purchase(texts, transaction, request)}
<form method="post" action="/sim/acs/challenge/submit" autocomplete="off">
<input type="hidden" name="acsTransID" value="${escapeHtml(transaction.acsTransactionId)}">
${
  wrong === null
    ? `<p id="about">${escapeHtml(texts.instruction)}</p>`
    : `<p class="wrong" id="about" role="alert">${escapeHtml(wrong)}</p>`
}
<label for="code">${escapeHtml(texts.code)}</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" autofocus
 aria-describedby="about"${wrong === null ? '' : ' aria-invalid="true"'}>
<div class="actions">
<button class="main" name="action" value="submit">${escapeHtml(texts.submit)}</button>
<button name="action" value="cancel">${escapeHtml(texts.cancel)}</button>
</div>
</form>
<p class="hint">${escapeHtml(texts.hint)}</p>`
  // The page that posts the payer back to the merchant has its own policy.
  return bankDocument({ texts, title, body, formAction: "'self'" })
}

function purchase(texts: BankTexts, { number }: Transaction, { merchantName, amount }: AcceptedRequest): string {
  const rows: [name: string, value: string][] = []
  if (merchantName !== '') rows.push([texts.shop, merchantName])
  if (amount !== null) rows.push([texts.amount, money(texts.locale, amount)])
  const cells = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
  const last4 = number.slice(-4)
  const card = `<span aria-hidden="true">•••• ${last4}</span><span class="unseen">${texts.endingIn(last4)}</span>`
  return `<dl>${cells.join('')}<dt>${escapeHtml(texts.card)}</dt><dd>${card}</dd></dl>`
}

function money(locale: string, { minorUnits, currency, exponent }: NonNullable<AcceptedRequest['amount']>): string {
  const units = Number(minorUnits) / 10 ** Number(exponent)
  const code = CURRENCIES[currency]
  if (code === undefined) return `${units} (${currency})`
  return new Intl.NumberFormat(locale, { style: 'currency', currency: code }).format(units)
}

/** Returns a page that waits and never returns. */
export function waitingPage({ language }: AcceptedRequest): BankPage {
  const texts = bankTexts(language)
  const body = `<h1>${escapeHtml(texts.waiting)}</h1><p>${escapeHtml(texts.waitingText)}</p>`
  return bankDocument({ texts, title: texts.waiting, body, formAction: "'none'" })
}

/**
 * Returns the page for a challenge that is over. @param acceptLanguage language of the browser, because that of an
 * unknown transaction is unknown
 */
export function overPage(acceptLanguage: string): BankPage {
  const texts = bankTexts(acceptLanguage)
  const body = `<h1>${escapeHtml(texts.over)}</h1><p>${escapeHtml(texts.overText)}</p>`
  return bankDocument({ texts, title: texts.over, body, formAction: "'none'", status: 400 })
}

export function failedPage({ language }: AcceptedRequest): BankPage {
  const texts = bankTexts(language)
  const body = `<h1>${escapeHtml(texts.failed)}</h1><p>${escapeHtml(texts.failedText)}</p>`
  return bankDocument({ texts, title: texts.failed, body, formAction: "'none'", status: 500 })
}

/** Returns a page that posts the payer back to the shop automatically; without scripts, by a button. */
export function returnPage(language: string, url: string, fields: Record<string, string>): BankPage {
  const texts = bankTexts(language)
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const body = `<h1>${escapeHtml(texts.returning)}</h1>
<form method="post" action="${escapeHtml(url)}">${inputs.join('')}
<noscript><div class="actions"><button class="main">${escapeHtml(texts.continue)}</button></div></noscript></form>`
  const formAction = new URL(url).origin
  return bankDocument({ texts, title: texts.returning, body, formAction, submitsItself: true })
}
