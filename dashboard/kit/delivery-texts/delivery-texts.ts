import { defineTexts, useTexts } from '../texts.ts'

/** Translations of errors of a delivery, by the English text that the service stores. */
type DeliveryTexts = Record<string, string>

const DELIVERY_TEXTS = defineTexts<DeliveryTexts>(
  {},
  { 'fr-CA': () => import('./fr-CA.ts'), es: () => import('./es.ts') },
)

/** Translates a stored error. `The connection failed: EPROTO` is translated except for its code. */
export function deliveryErrorIn(texts: DeliveryTexts, stored: string): string {
  const [, text = stored, code = ''] = /^(The connection failed)(: \w+)$/.exec(stored) ?? []
  return `${texts[text] ?? text}${code}`
}

/** Returns a function that translates a stored error to the language of the page. */
export function useDeliveryError(): (stored: string) => string {
  const texts = useTexts(DELIVERY_TEXTS)
  return (stored) => deliveryErrorIn(texts, stored)
}
