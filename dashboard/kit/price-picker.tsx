import type { FoundPrice } from '../../contract/dashboard/catalog-api.ts'
import { frequencyOf } from '../../contract/dashboard/subscription-words.ts'
import { fill } from '../../contract/text.ts'
import { FREQUENCY_TEXTS } from './frequency-texts/frequency-texts.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useMoney } from './money.tsx'
import { useRead } from './read.ts'
import { type Found, type PickerFieldProps, SearchPicker, SHOWN } from './search-picker.tsx'
import { useTexts } from './texts.ts'

/** Finds a recurring price, including archived ones, by its product, nickname, reference or amount. */
export default function PricePicker(props: PickerFieldProps) {
  return <SearchPicker {...props} useFound={useRecurring} />
}

/** Finds a price that can be used for new subscriptions. */
export function ActivePricePicker(props: PickerFieldProps) {
  return <SearchPicker {...props} useFound={useActive} />
}

const useRecurring = (q: string, enabled: boolean) => usePrices({ recurring: true }, q, enabled)
const useActive = (q: string, enabled: boolean) => usePrices({ recurring: true, active: true }, q, enabled)

function usePrices(which: { recurring: true; active?: true }, q: string, enabled: boolean): Found | undefined {
  const line = usePriceLine()
  const query = { ...which, limit: SHOWN, ...(q && { q }) }
  const { data, isPlaceholderData: isOfOther } = useRead('GET /prices/search', { query, enabled, keepPrevious: true })
  const options = data?.data.map((price) => ({ value: price.id, label: line(price) }))
  return options && { options, hasMore: data?.has_more === true, isOfOther }
}

/** Returns a function for the line of a price: `Gold · Students · $25.00 · Monthly`. */
function usePriceLine(): (price: FoundPrice) => string {
  const t = useTexts(KIT_TEXTS)
  const words = useTexts(FREQUENCY_TEXTS)
  const money = useMoney()
  return ({ view: { product }, nickname, unit_amount: amount, currency, recurring, active }) => {
    const frequency = recurring ? frequencyOf(recurring.interval, recurring.interval_count).label : 'once'
    const name = [product.name, nickname, money(amount, currency.toUpperCase()), words[frequency]]
      .filter(Boolean)
      .join(' · ')
    return active && product.active ? name : fill(t.archivedOne, { name })
  }
}
