import type { CheckoutFormData, SurchargeDue } from '../../../contract/checkout-form.ts'
import type { FormRefusal } from '../../../contract/payment-page.ts'
import type { ApiError } from '../../lib/errors.ts'
import { decimalFromCents } from '../../lib/money.ts'
import type { LoadedSession } from '../sessions/load-session.ts'

// Content of the page after a form post without JavaScript.

/** Returns the error that the form shows after a payment was refused or declined. */
export function formRefusal({ code, detail }: ApiError): FormRefusal {
  const seconds = Number(detail.headers?.['retry-after'])
  return {
    code,
    attemptsLeft: null,
    errors: detail.errors ?? {},
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
  }
}

/** Whether a surcharge applies to the card; `null` if the error does not tell. */
export function appliesBy({ detail }: ApiError): boolean | null {
  const { surcharge } = (detail.extra ?? {}) as { surcharge?: SurchargeDue | null }
  return surcharge?.applies ?? null
}

/** Returns the amounts on the receipt. @param charged charged amount in major units */
export function amountTexts(charged: number, { session }: LoadedSession, locale: string) {
  const { format } = new Intl.NumberFormat(locale, { style: 'currency', currency: session.currency })
  const total = decimalFromCents(session.amountTotal)
  const rate = charged > total && session.surchargeRateBp !== null && session.surchargeRateBp / 100
  return { amount: format(charged), surcharge: rate ? { rate, amount: format(charged - total) } : null }
}

/** Adds the surcharge to the page, so that a payer without JavaScript sees the new total and confirms it by paying. */
export function withSurcharge(data: CheckoutFormData, applies: boolean | null): CheckoutFormData {
  const { surcharge } = data.checkout_session
  if (surcharge === null || applies === null) return data
  return { ...data, checkout_session: { ...data.checkout_session, surcharge: { ...surcharge, applies } } }
}
