import { passesLuhn } from '../lib/luhn.ts'
import type { BinTable } from './bin-table.ts'
import { brandOf, type Card, type WalletCard } from './card.ts'
import { Secret } from './secret.ts'

interface FromWallet {
  number: string
  expMonth: number
  expYear: number
  wallet: WalletCard
}

/**
 * Returns the card of a wallet. It has no CVV and is never stored.
 *
 * @returns `null` if the number does not belong to a known network
 * @see GPY-6
 */
export function walletCard({ number, expMonth, expYear, wallet }: FromWallet, bins: BinTable): Card | null {
  const brand = brandOf(number)
  if (brand === null || !passesLuhn(number)) return null
  return {
    number: new Secret(number),
    cvv: null,
    brand,
    // The BIN of a device account number does not reveal the funding of the card.
    funding: wallet.proof === null ? bins.fundingOf(number) : 'unknown',
    first6: number.slice(0, 6),
    last4: number.slice(-4),
    expMonth,
    expYear,
    nameOnCard: null,
    place: { country: null, state: null, postalCode: null },
    line1: null,
    save: false,
    stored: null,
    wallet,
  }
}
