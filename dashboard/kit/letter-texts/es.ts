import type { Translated } from '../../../contract/text.ts'
import type { en } from './en.ts'

export const es: Translated<typeof en> = {
  resend: 'Enviar otra vez',
  resent: 'El correo se envía otra vez',
}
