import type { ContractDetail } from '../../../contract/dashboard/contracts-api.ts'
import { LOCALES } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import { findLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { findLogo } from '../../businesses/logo-queries.ts'
import type { Db } from '../../db/connection.ts'
import { ApiError } from '../../lib/errors.ts'
import { makePdf } from '../../pdf/pdf-queue.ts'
import { excessOf } from '../../subscriptions/contracts/check-contract-text.ts'
import { readContract } from './contract-object.ts'
import type { PrintedContract } from './render-contract.ts'

/** How many unprintable characters a refusal names at most. */
const NAMED_MAX = 10

interface ContractFile {
  fileName: string
  content: Buffer
}

/**
 * Renders a contract, signed or not, as a PDF in the language of the business.
 *
 * @param isGone whether the caller has hung up
 * @throws ApiError `not_found`; `conflict` for characters that the fonts do not have; `unavailable`
 */
export const contractPdf = (
  services: { db: Db },
  business: Business,
  id: string,
  isGone?: () => boolean,
): Promise<ContractFile> => makePdf(business.id, () => contractFile(services, business, id), isGone)

async function contractFile(services: { db: Db }, business: Business, id: string): Promise<ContractFile> {
  const contract = await readContract(services, business.id, id)
  // The text was stored before the limit existed, or by another version.
  if (excessOf(contract.text) !== null) throw tooLong()
  const [{ postalAddress }, logo] = await Promise.all([
    findLetterSettings(services.db, business.id),
    business.logoHash === null ? null : findLogo(services.db, business.id),
  ])
  const [{ renderContract, textsOf }, { loadFontsFor }, { printableText }] = await Promise.all([
    import('./render-contract.ts'),
    import('../../pdf/fonts.ts'),
    import('../../pdf/printable-text.ts'),
  ])
  const printed = printedOf(contract, { business, postalAddress, logo }, printableText)
  const text = textsOf(printed).join('\n')
  const lacking = (await loadFontsFor(text)).lackedBy(text)
  if (lacking.length > 0) throw cannotShow(lacking)
  const locale = LOCALES.find((one) => one === business.locale) ?? 'en'
  return { fileName: `contract-${contract.id}.pdf`, content: await renderContract(printed, locale) }
}

function printedOf(
  { id, status, title, text, signature, customer, ...times }: ContractDetail,
  { business, ...seller }: Pick<PrintedContract, 'postalAddress' | 'logo'> & { business: Business },
  printable: (text: string) => string,
): PrintedContract {
  const orNull = (given: string | null) => given && printable(given)
  return {
    contract: {
      ...{ id, status, title: printable(title), text: printable(text), createdAt: instant(times.created) },
      signature: signature && {
        ...{ name: printable(signature.name), ip: signature.ip, at: instant(signature.at) },
        teamSeenThere: signature.team_seen_there,
      },
    },
    sentAt: times.sent_at === null ? null : instant(times.sent_at),
    voidedAt: times.voided_at === null ? null : instant(times.voided_at),
    business: { ...business, name: printable(business.name) },
    postalAddress: orNull(seller.postalAddress),
    logo: seller.logo,
    customer: { name: orNull(customer.name), email: orNull(customer.email) },
  }
}

const instant = (seconds: number) => new Date(seconds * 1_000)

const tooLong = () => new ApiError('conflict', { message: 'The text is too long for a PDF. Print the page instead.' })

function cannotShow(lacking: readonly string[]): ApiError {
  const named = lacking.slice(0, NAMED_MAX).join(' ')
  return new ApiError('conflict', {
    message: `The PDF cannot show these characters: ${named}. Print the page instead.`,
  })
}
