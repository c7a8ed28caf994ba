import { fill, plural } from '../../contract/text.ts'
import type { ScriptText, SentenceKey } from '../messages/text.ts'
import type { PageData } from '../view/page-data.ts'
import type { ParentLink } from './parent-messages.ts'

/** Parts of the document that the script uses. */
export interface Page {
  data: PageData
  /** Link to the merchant's page; `null` if this page is not framed. */
  parent: ParentLink | null
  columns: HTMLElement
  form: HTMLFormElement
  alert: HTMLElement
  /** An invisible polite live region. */
  log: HTMLElement
  pay: HTMLButtonElement
  payLabel: HTMLElement
  /** "Pay $39.55", as the server rendered it. */
  payText: string
}

type PluralKey = Exclude<keyof ScriptText, SentenceKey>

/** Returns the parts; `null` on a page without the form. */
export function readPage(): Page | null {
  const block = document.getElementById('page-data')
  if (!block) return null
  const payLabel = byId('pay-label')
  return {
    data: JSON.parse(block.textContent ?? '') as PageData,
    parent: null,
    columns: byId('columns'),
    form: byId('payment-form') as HTMLFormElement,
    alert: byId('alert'),
    log: byId('log'),
    pay: byId('pay') as HTMLButtonElement,
    payLabel,
    payText: payLabel.textContent ?? '',
  }
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}.`)
  return element
}

/** Returns the field of this name, or `null` if this session does not ask for it. */
export function fieldNamed(page: Page, name: string): HTMLInputElement | HTMLSelectElement | null {
  const field = page.form.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : null
}

/**
 * Whether an element is visible: fields of another country, or of a card that is not chosen, are in the form but
 * hidden.
 */
export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0
}

/** Returns the trimmed input of a visible field; empty for a hidden one. */
export function typed(page: Page, name: string): string {
  const field = fieldNamed(page, name)
  return field && isShown(field) ? field.value.trim() : ''
}

export function isTicked(page: Page, name: string): boolean {
  const field = fieldNamed(page, name)
  return field instanceof HTMLInputElement && field.checked && isShown(field)
}

export function sentence(page: Page, key: SentenceKey, values: Record<string, string | number> = {}): string {
  return fill(page.data.text[key], { business: page.data.businessName, ...values })
}

export function counted(page: Page, key: PluralKey, count: number): string {
  return fill(plural(page.data.text[key], count, page.data.locale), { business: page.data.businessName })
}

/** Announces a text once to screen readers without moving the focus. */
export function announce(page: Page, text: string): void {
  const line = document.createElement('p')
  line.textContent = text
  page.log.replaceChildren(line)
}

export function paragraph(text: string): HTMLParagraphElement {
  const element = document.createElement('p')
  element.textContent = text
  return element
}
