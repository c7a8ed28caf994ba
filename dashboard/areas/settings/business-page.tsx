import { LOCALES } from '../../../contract/payment-page.ts'
import { Fields } from '../../kit/detail.tsx'
import { LANGUAGE_NAMES } from '../../kit/language-names.ts'
import { useMay } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import type { Field } from './fields.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** Name, addresses, languages and contacts of the business. */
export default function BusinessPage() {
  return (
    <SettingsFrame part="business">
      <WithSettings>{(settings) => <BusinessForm settings={settings} />}</WithSettings>
    </SettingsFrame>
  )
}

function BusinessForm({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const mayChange = useMay('settings.write')
  const save = useSave('PATCH /settings')
  const zones = Intl.supportedValuesOf('timeZone')
  const locales = LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))
  const identity: Field[] = [
    { name: 'name', kind: 'text', label: t.name, hint: t.nameHint, isRequired: true },
    { name: 'legal_name', kind: 'text', label: t.legalName, hint: t.legalNameHint },
    { name: 'postal_address', kind: 'lines', label: t.postalAddress, hint: t.postalAddressHint },
    { name: 'tax_registrations', kind: 'lines', label: t.taxRegistrations, hint: t.taxRegistrationsHint },
    {
      ...{ name: 'country', kind: 'select', label: t.country, hint: t.countryHint, isRequired: true },
      options: [
        { value: 'CA', label: t.countryCA },
        { value: 'US', label: t.countryUS },
      ],
    },
    { name: 'province', kind: 'text', label: t.province, hint: t.provinceHint },
    {
      ...{ name: 'time_zone', kind: 'select', label: t.timeZone, hint: t.timeZoneHint, isRequired: true },
      options: [...new Set([settings.time_zone, ...zones])].map((zone) => ({ value: zone, label: zone })),
    },
    {
      ...{ name: 'locale', kind: 'select', label: t.locale, hint: t.localeHint },
      options: [{ value: '', label: t.localeOfBrowser }, ...locales],
    },
  ]
  const contact: Field[] = [
    { name: 'support_email', kind: 'text', type: 'email', label: t.supportEmail, hint: t.supportEmailHint },
    { name: 'support_phone', kind: 'text', type: 'tel', label: t.supportPhone },
    { name: 'terms_url', kind: 'text', type: 'url', label: t.termsUrl, hint: t.urlHint },
    { name: 'privacy_url', kind: 'text', type: 'url', label: t.privacyUrl, hint: t.urlHint },
  ]
  const fixed = <Fields items={[[t.currency, `${settings.currency}. ${t.currencyHint}`]]} />
  return (
    <SettingsForm
      groups={[
        { title: t.identity, fields: identity, extra: fixed },
        { title: t.contact, fields: contact },
      ]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
      confirm={[{ names: ['country'], text: t.countryConfirm }]}
    />
  )
}
