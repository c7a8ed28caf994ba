import type { Locale } from '../../contract/payment-page.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { frCA } from './fr-CA.ts'
import type { Messages } from './text.ts'

export const CATALOGUE: Record<Locale, Messages> = { en, 'fr-CA': frCA, es }
