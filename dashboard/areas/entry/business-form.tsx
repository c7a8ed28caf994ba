import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PROVINCES, PROVINCES_FRENCH, US_STATES } from '../../../contract/places.ts'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { EntryProblem } from './entry-problem.tsx'
import { TEXTS } from './texts/texts.ts'

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const ZONES = [...new Set([OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])]
const CURRENCIES = { CA: 'CAD', US: 'USD' } as const
type Country = keyof typeof CURRENCIES
type Currency = (typeof CURRENCIES)[Country]

const regionsOf = (list: string) => list.split(',').map((text) => ({ value: text.slice(0, 2), label: text.slice(3) }))

/** The first business of this service. Its currency cannot be changed later. */
export function BusinessForm({ onDone }: { onDone(businessId: string): void }) {
  const t = useTexts(TEXTS)
  const [name, setName] = useState('')
  const [place, setPlace] = useState<Place>({ country: 'CA', province: null, currency: CURRENCIES.CA })
  const [zone, setZone] = useState(OWN_ZONE)
  const { submit, isSending, error } = useSubmit(async () => {
    const body = { name, ...place, time_zone: zone }
    const { id } = await personCall('POST /dashboard/auth/set-up/business', { body })
    onDone(id)
  })
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t.businessName}
        autoComplete="organization"
        required
        withAsterisk={false}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PlaceFields place={place} onChange={setPlace} />
      <Select
        label={t.timeZone}
        searchable
        limit={50}
        data={ZONES}
        value={zone}
        onChange={(value) => setZone(value ?? OWN_ZONE)}
      />
      <p className="dimmed">{t.lettersToYou}</p>
      <EntryProblem error={error} />
      <SendButton error={error} loading={isSending}>
        {t.createBusiness}
      </SendButton>
    </form>
  )
}

interface Place {
  country: Country
  province: string | null
  currency: Currency
}

/** Fields of the address. A change of the country changes the provinces, and usually the currency. */
function PlaceFields({ place, onChange }: { place: Place; onChange(place: Place): void }) {
  const t = useTexts(TEXTS)
  const { country, province, currency } = place
  const provinces = useLocale() === 'fr-CA' ? PROVINCES_FRENCH : PROVINCES
  const setCountry = (chosen: Country) =>
    chosen !== country && onChange({ country: chosen, province: null, currency: CURRENCIES[chosen] })
  return (
    <>
      <Select
        label={t.country}
        data={(['CA', 'US'] as const).map((value) => ({ value, label: t[`country_${value}`] }))}
        value={country}
        allowDeselect={false}
        onChange={(value) => setCountry(value as Country)}
      />
      <Select
        label={t.province}
        searchable
        data={regionsOf(country === 'CA' ? provinces : US_STATES)}
        value={province}
        onChange={(value) => onChange({ ...place, province: value })}
      />
      <Select
        label={t.currency}
        description={t.currencyHint}
        data={Object.values(CURRENCIES)}
        value={currency}
        allowDeselect={false}
        onChange={(value) => onChange({ ...place, currency: value as Currency })}
      />
    </>
  )
}
