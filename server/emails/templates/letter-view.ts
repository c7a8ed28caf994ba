/** Content of one letter, as plain text: it is escaped where it becomes HTML. */
export interface LetterContent {
  subject: string
  /** Preview text that mail programs show beside the subject. */
  preheader: string
  heading: string
  /** Amount shown in large letters; `null` for none. */
  amount: string | null
  paragraphs: string[]
  rows: LetterRow[]
  button: { label: string; url: string } | null
  /** Notes in small print, below the button. */
  notes: string[]
}

export interface LetterRow {
  label: string
  value: string
  /** Whether the row is printed in bold. */
  strong?: boolean
}

/** Frame around each letter of a business. */
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
