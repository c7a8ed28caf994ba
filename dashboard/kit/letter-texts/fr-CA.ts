import type { Translated } from '../../../contract/text.ts'
import type { en } from './en.ts'

export const frCA: Translated<typeof en> = {
  resend: 'Renvoyer',
  resent: 'Le courriel est renvoyé',
}
