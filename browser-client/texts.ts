// What the payer reads or hears of the library itself; the form brings its own texts.

const TEXTS: Record<string, readonly [title: string, close: string]> = {
  en: ['Secure payment', 'Close'],
  fr: ['Paiement sécurisé', 'Fermer'],
  es: ['Pago seguro', 'Cerrar'],
}

/** @param locale a language tag; the page's own language without it */
export function textsFor(locale: string | undefined): readonly [title: string, close: string] {
  const language = (locale || document.documentElement.lang || navigator.language).slice(0, 2)
  return TEXTS[language] ?? (TEXTS.en as readonly [string, string])
}
