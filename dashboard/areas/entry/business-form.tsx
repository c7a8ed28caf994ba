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

const regionsOf = (list: string) => list.split(',').map((text) => ({ value: text.slice(0, 2), label: text.slice(3) }))

/** The first business of this service. */
export function BusinessForm({ onDone }: { onDone(businessId: string): void }) {
  const t = useTexts(TEXTS)
  const [name, setName] = useState('')
  const [country, setCountry] = useState<Country>('CA')
  const [province, setProvince] = useState<string | null>(null)
  const [zone, setZone] = useState(OWN_ZONE)
  const { submit, isSending, error } = useSubmit(async () => {
    const body = { name, country, province, time_zone: zone, currency: CURRENCIES[country] }
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
      <PlaceFields
        country={country}
        province={province}
        onChange={(chosen, region) => {
          setCountry(chosen)
          setProvince(region)
        }}
      />
      <Select
        label={t.timeZone}
        searchable
        limit={50}
        data={ZONES}
        value={zone}
        onChange={(value) => setZone(value ?? OWN_ZONE)}
      />
      <EntryProblem error={error} />
      <SendButton error={error} loading={isSending}>
        {t.createBusiness}
      </SendButton>
    </form>
  )
}

interface PlaceProps {
  country: Country
  province: string | null
  onChange(country: Country, province: string | null): void
}

function PlaceFields({ country, province, onChange }: PlaceProps) {
  const t = useTexts(TEXTS)
  const provinces = useLocale() === 'fr-CA' ? PROVINCES_FRENCH : PROVINCES
  return (
    <>
      <Select
        label={t.country}
        data={(['CA', 'US'] as const).map((value) => ({ value, label: t[`country_${value}`] }))}
        value={country}
        onChange={(value) => onChange(value as Country, null)}
      />
      <Select
        label={t.province}
        searchable
        data={regionsOf(country === 'CA' ? provinces : US_STATES)}
        value={province}
        onChange={(value) => onChange(country, value)}
      />
    </>
  )
}
