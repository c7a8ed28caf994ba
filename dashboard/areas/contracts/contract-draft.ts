import type { Locale } from '../../kit/texts.ts'

/** Input for a new contract. */
export interface ContractDraft {
  customer: string | null
  subscription: string | null
  locale: Locale
  title: string
  text: string
}
