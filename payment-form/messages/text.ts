import type { Translated } from '../../contract/text.ts'
import type { en } from './en.ts'

/** The English catalogue defines the shape: a language with a missing or an extra key does not compile. */
export interface Messages {
  page: Translated<typeof en.page>
  script: Translated<typeof en.script>
}

export type ScriptText = Messages['script']

/** Keys of script texts that are a single sentence, without plural forms. */
export type SentenceKey = {
  [Key in keyof ScriptText]: ScriptText[Key] extends string ? Key : never
}[keyof ScriptText]
