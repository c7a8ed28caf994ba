import type { Translated } from '../../contract/text.ts'
import type { en } from './en.ts'

/** The English catalogue is the shape: a language that misses a key, or has one too many, does not compile. */
export interface Messages {
  page: Translated<typeof en.page>
  script: Translated<typeof en.script>
}

export type ScriptText = Messages['script']

/** The keys of the script texts that are one sentence, without plural forms. */
export type SentenceKey = {
  [Key in keyof ScriptText]: ScriptText[Key] extends string ? Key : never
}[keyof ScriptText]
