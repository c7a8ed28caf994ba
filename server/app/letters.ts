import type { Config } from '../config.ts'
import { invoiceAttachment } from '../emails/send/invoice-attachment.ts'
import { type LetterWorker, startLetterKeeper, startLetterWorker } from '../emails/send/letter-worker.ts'
import { smtpMailer } from '../emails/send/mailer.ts'
import type { Services } from './services.ts'

/**
 * Sends the letters of this process, and those that other processes left. Without a mail server they are only stored
 * (LTR-15).
 */
export function startLetters(services: Services, { mail, environment, timeScale }: Config): LetterWorker {
  if (!mail) {
    if (environment === 'production') services.log.warn('SMTP_URL is not set: letters are kept and not sent')
    return startLetterKeeper({ ...services, timeScale })
  }
  return startLetterWorker({
    ...services,
    timeScale,
    mailer: smtpMailer(mail),
    secrets: mail.auth ? [mail.auth.pass, mail.auth.user] : [],
    invoiceAttachment: (invoice) => invoiceAttachment(services.db, invoice),
  })
}
