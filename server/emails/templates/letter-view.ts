/** What one letter says. Plain text: it is escaped where it becomes HTML. */
export interface LetterContent {
  subject: string
  /** What mail programs show beside the subject. */
  preheader: string
  heading: string
  /** Shown large; `null` for none. */
  amount: string | null
  paragraphs: string[]
  rows: LetterRow[]
  button: { label: string; url: string } | null
  /** In small print, below the button. */
  notes: string[]
}

export interface LetterRow {
  label: string
  value: string
  /** Printed bold. */
  strong?: boolean
}

/** Around each letter of a business. */
export interface LetterFrame {
  audience: 'customer' | 'merchant' | 'person'
  logoUrl: string | null
  /** `#rrggbb`; `null` for the default. */
  brandColor: string | null
  supportEmail: string | null
  supportPhone: string | null
}

export interface RenderedLetter {
  subject: string
  html: string
  text: string
}
