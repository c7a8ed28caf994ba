import { Button } from '@mantine/core'
import { useState } from 'react'
import { AVS_POLICIES, type AvsPolicy, CVV_POLICIES, type CvvPolicy } from '../../../contract/card-checks.ts'
import { CallError, useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { useMay } from '../../kit/me.ts'
import { Status } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import type { Draft, Field, Members } from './fields.ts'
import { GooglePayKeys } from './google-pay-keys.tsx'
import { type Confirmation, SettingsForm } from './settings-form.tsx'
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
        { title: t.cardChecks, fields: cardCheckFields(t) },
        { title: t.threeDs, fields: threeDsFields(t, settings) },
        { title: t.googlePay, fields: googlePayFields(t) },
      ]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
      confirm={[
        { names: ['surcharge_rate', 'surcharge_rounding'], text: t.surchargeConfirm },
        ...cardCheckConfirmations(t),
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

function cardCheckFields(t: Texts): Field[] {
  const ofCode: Record<CvvPolicy, string> = {
    accept: t.acceptEvery,
    decline_mismatch: t.codeMismatch,
    require_match: t.codeRequired,
  }
  const ofAddress: Record<AvsPolicy, string> = {
    accept: t.acceptEvery,
    decline_no_match: t.addressNoMatch,
    decline_postal_mismatch: t.postalMismatch,
    decline_any_mismatch: t.addressMismatch,
    require_match: t.addressRequired,
  }
  return [
    {
      ...{ name: 'cvv_policy', kind: 'select', label: t.cvvPolicy, hint: t.cvvPolicyHint, isRequired: true },
      options: CVV_POLICIES.map((value) => ({ value, label: ofCode[value] })),
    },
    { name: 'saved_card_cvv_required', kind: 'toggle', label: t.savedCardCvv, hint: t.savedCardCvvHint },
    {
      ...{ name: 'avs_policy', kind: 'select', label: t.avsPolicy, hint: t.avsPolicyHint, isRequired: true },
      options: AVS_POLICIES.map((value) => ({ value, label: ofAddress[value] })),
    },
  ]
}

/**
 * Returns the confirmations for stricter policies; a less strict one needs none. Policies are ordered by strictness.
 */
function cardCheckConfirmations(t: Texts): Confirmation[] {
  const rank = (policies: readonly string[], value: unknown) => policies.indexOf(String(value))
  const isStricter = (name: string, policies: readonly string[]) => (before: Members, draft: Draft) =>
    rank(policies, draft[name]) > rank(policies, before[name])
  const isCodeStricter = isStricter('cvv_policy', CVV_POLICIES)
  const isAddressStricter = isStricter('avs_policy', AVS_POLICIES)
  const names = ['cvv_policy', 'avs_policy']
  return [
    {
      ...{ names, text: t.cardChecksConfirm },
      when: (before, draft) => isCodeStricter(before, draft) || isAddressStricter(before, draft),
    },
    {
      ...{ names: ['saved_card_cvv_required'], text: t.savedCardCvvConfirm },
      when: (_before, draft) => draft.saved_card_cvv_required === 'true',
    },
    { names: ['avs_policy'], text: t.avsPolicyConfirm, when: isAddressStricter },
    {
      ...{ names: ['avs_policy'], text: t.addressRequiredConfirm },
      when: (_before, draft) => draft.avs_policy === 'require_match',
    },
  ]
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
