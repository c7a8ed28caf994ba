import type { FormBusiness } from '../../contract/checkout-form.ts'
import { formatLocale } from '../../contract/money-text.ts'
import type { Locale, PaymentPageView } from '../../contract/payment-page.ts'
import { fill } from '../../contract/text.ts'
import { CATALOGUE } from '../messages/catalogue.ts'
import type { Messages } from '../messages/text.ts'

export type FormView = Extract<PaymentPageView, { state: 'open' | 'checking' }>
export type ClosedView = Exclude<PaymentPageView, FormView>

/** Data that every part of the page needs to render a text. */
export interface PageContext {
  locale: Locale
  /** Locale for `Intl`. */
  formats: string
  text: Messages['page']
  scriptText: Messages['script']
  business: FormBusiness | null
  /** Replaces `{business}` and the given values. */
  say: (text: string, values?: Record<string, string | number>) => string
}

export function pageContext(view: PaymentPageView): PageContext {
  const business = businessOf(view)
  const { page, script } = CATALOGUE[view.locale]
  return {
    locale: view.locale,
    formats: formatLocale(view.locale, business?.country ?? 'US'),
    text: page,
    scriptText: script,
    business,
    say: (text, values = {}) => fill(text, { business: business?.name ?? '', ...values }),
  }
}

function businessOf(view: PaymentPageView): FormBusiness | null {
  if ('data' in view) return view.data.business
  return 'business' in view ? view.business : null
}
