import { fill } from '../../contract/text.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useRead } from './read.ts'
import { type PickerFieldProps, SearchPicker, SHOWN } from './search-picker.tsx'
import { useTexts } from './texts.ts'

/** Finds a product by part of its name. */
export default function ProductPicker(props: PickerFieldProps) {
  return <SearchPicker {...props} useFound={useProducts} />
}

function useProducts(q: string, enabled: boolean) {
  const t = useTexts(KIT_TEXTS)
  const query = { limit: SHOWN, ...(q && { q }) }
  const { data, isPlaceholderData: isOfOther } = useRead('GET /products', { query, enabled, keepPrevious: true })
  const options = data?.data.map(({ id, name, active }) => {
    return { value: id, label: active ? name : fill(t.archivedOne, { name }) }
  })
  return options && { options, hasMore: data?.has_more === true, isOfOther }
}
