import { Button } from '@mantine/core'
import { useState } from 'react'
import { CallError, useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { useMay } from '../../kit/me.ts'
import { Status } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import type { Field } from './fields.ts'
import { GooglePayKeys } from './google-pay-keys.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import type { en } from './texts/en.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** The surcharge, the tax, how payers prove who they are, their wallets, and the accounts at the gateway. */
export default function PaymentSettingsPage() {
  return (
    <SettingsFrame part="payments">
      <WithSettings>
        {(settings) => (
          <>
            <PaymentsForm settings={settings} />
            {settings.google_pay_enabled && settings.google_pay_merchant_id !== null && <GooglePayKeys />}
            <Terminals terminals={settings.view.terminals} />
          </>
        )}
      </WithSettings>
    </SettingsFrame>
  )
}

function PaymentsForm({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const mayChange = useMay('settings.write')
  const save = useSave('PATCH /settings')
  return (
    <SettingsForm
      groups={[
        { title: t.surcharge, fields: surchargeFields(t) },
        { title: t.tax, fields: taxFields(t) },
        { title: t.threeDs, fields: threeDsFields(t, settings) },
        { title: t.googlePay, fields: googlePayFields(t) },
      ]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
      confirm={[
        { names: ['surcharge_rate', 'surcharge_rounding'], text: t.surchargeConfirm },
        { names: ['three_ds_enabled', 'three_ds_above'], text: t.threeDsConfirm },
        { names: ['google_pay_merchant_id'], text: t.googlePayConfirm },
      ]}
    />
  )
}

type Texts = ReturnType<typeof useTexts<typeof en>>

function surchargeFields(t: Texts): Field[] {
  const options = [
    { value: 'half_up', label: t.halfUp },
    { value: 'down', label: t.down },
  ]
  return [
    { name: 'surcharge_rate', kind: 'number', label: t.surchargeRate, hint: t.surchargeRateHint },
    { name: 'surcharge_rounding', kind: 'select', label: t.surchargeRounding, options, isRequired: true },
  ]
}

function taxFields(t: Texts): Field[] {
  return [{ name: 'default_tax_rate', kind: 'number', label: t.defaultTaxRate, hint: t.defaultTaxRateHint }]
}

function threeDsFields(t: Texts, { view }: Settings): Field[] {
  const hint = view.has_three_ds_server ? t.threeDsEnabledHint : t.threeDsMissing
  return [
    { name: 'three_ds_enabled', kind: 'toggle', label: t.threeDsEnabled, hint },
    { name: 'three_ds_above', kind: 'amount', label: t.threeDsAbove, hint: t.threeDsAboveHint },
  ]
}

function googlePayFields(t: Texts): Field[] {
  return [
    { name: 'google_pay_enabled', kind: 'toggle', label: t.googlePayEnabled },
    { name: 'google_pay_merchant_id', kind: 'text', label: t.googlePayMerchantId, hint: t.googlePayMerchantIdHint },
    {
      ...{ name: 'google_pay_cryptogram_only', kind: 'toggle', label: t.googlePayCryptogramOnly },
      hint: t.googlePayCryptogramOnlyHint,
    },
  ]
}

type Terminal = Settings['view']['terminals'][number]

function Terminals({ terminals }: { terminals: Terminal[] }) {
  const t = useTexts(SETTINGS_TEXTS)
  return (
    <Card title={t.terminals}>
      <div className="table-scroll">
        <table>
          <caption className="only-read">{t.terminals}</caption>
          <thead>
            <tr>
              <th scope="col">{t.currency}</th>
              <th scope="col">{t.gateway}</th>
              <th scope="col">{t.terminal}</th>
              <th scope="col">{t.testConnection}</th>
            </tr>
          </thead>
          <tbody>
            {terminals.map((terminal) => (
              <TerminalRow key={terminal.id} terminal={terminal} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function TerminalRow({ terminal }: { terminal: Terminal }) {
  const t = useTexts(SETTINGS_TEXTS)
  const call = useCall()
  const may = useMay('settings.write')
  const [result, setResult] = useState<{ isReached: boolean; text: string } | null>(null)
  const [isTesting, setTesting] = useState(false)
  async function test() {
    setTesting(true)
    setResult(null)
    try {
      const found = await call('POST /settings/terminals/{id}/test', { params: { id: terminal.id } })
      const message = found.message ?? ''
      const text = found.is_reached ? fill(t.reached, { ms: found.milliseconds }) : fill(t.notReached, { message })
      setResult({ isReached: found.is_reached, text })
    } catch (error) {
      const message = error instanceof CallError ? error.message : ''
      setResult({ isReached: false, text: fill(t.notReached, { message }) })
    } finally {
      setTesting(false)
    }
  }
  return (
    <tr>
      <th scope="row">{terminal.currency}</th>
      <td>{terminal.gateway}</td>
      <td>
        <code>{terminal.account}</code>
      </td>
      <td>
        {may && (
          <Button variant="default" size="sm" onClick={() => void test()} disabled={isTesting}>
            {isTesting ? t.testing : t.testConnection}
          </Button>
        )}
        <div role="status">{result && <Status tone={result.isReached ? 'good' : 'bad'}>{result.text}</Status>}</div>
      </td>
    </tr>
  )
}
