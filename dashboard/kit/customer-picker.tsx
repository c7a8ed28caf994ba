import { useRead } from './read.ts'
import { type PickerFieldProps, SearchPicker, SHOWN } from './search-picker.tsx'

interface Person {
  id: string
  name: string | null
  email: string | null
}

export const personName = ({ name, email, id }: Person): string => name ?? email ?? id
const personLine = ({ name, email, id }: Person) =>
  name && email ? `${name} (${email})` : personName({ name, email, id })

/** Finds a customer by part of the name or e-mail address. */
export default function CustomerPicker(props: PickerFieldProps) {
  return <SearchPicker {...props} useFound={useCustomers} />
}

function useCustomers(search: string, enabled: boolean) {
  const query = { limit: SHOWN, ...(search && { search }) }
  const { data, isPlaceholderData: isOfOther } = useRead('GET /customers', { query, enabled, keepPrevious: true })
  const options = data?.data.map((person) => ({ value: person.id, label: personLine(person) }))
  return options && { options, hasMore: data?.has_more === true, isOfOther }
}
