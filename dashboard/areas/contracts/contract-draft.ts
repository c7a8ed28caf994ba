import type { Locale } from '../../kit/texts.ts'

/** What is typed about a new contract. */
export interface ContractDraft {
  customer: string | null
  subscription: string | null
  locale: Locale
  title: string
  text: string
}
