import { Alert } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { SettlePreview } from '../../../contract/dashboard/batches-api.ts'
import { fill } from '../../../contract/text.ts'
import { CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { FiguresTable } from './figures.tsx'
import { TEXTS } from './texts/texts.ts'

interface SettleDialogProps {
  opened: boolean
  onClose(): void
  currency: 'CAD' | 'USD'
}

/**
 * Settles the batch by the gateway's figures, as they were shown. If they change meanwhile, the new ones are shown and
 * have to be confirmed (DSH-5).
 */
export function SettleDialog({ opened, onClose, currency }: SettleDialogProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const { preview, before, error, settle } = useSettlement(opened, currency)
  const isEmpty = preview !== null && preview.sales_count + preview.refunds_count + preview.voids_count === 0
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={fill(t.settleTitle, { currency })}
      about={currency}
      verb={preview ? fill(t.settleOf, { amount: money(preview.net_amount, currency) }) : t.settle}
      disabled={preview === null || isEmpty}
      isOnce
      onConfirm={settle}
      refusalOf={(refusal) => (refusal.extra.preview ? '' : gatewayRefusal(refusal))}
    >
      {error !== null && (gatewayRefusal(error) ?? <Refusal error={error} />)}
      {before && (
        <Alert color="yellow" variant="outline" title={t.changedTitle} role="alert">
          {t.changedText}
        </Alert>
      )}
      {preview && (
        <FiguresTable
          caption={t.settleCount}
          currency={currency}
          columns={
            before
              ? [
                  [t.before, before],
                  [t.now, preview],
                ]
              : [[t.settleCount, preview]]
          }
        />
      )}
      {isEmpty ? <p>{t.settleEmpty}</p> : <p>{t.settleText}</p>}
    </ConfirmDialog>
  )
}

function useSettlement(opened: boolean, currency: 'CAD' | 'USD') {
  const t = useTexts(TEXTS)
  const call = useCall()
  const say = useToast()
  const invalidate = useInvalidate()
  const [preview, setPreview] = useState<SettlePreview | null>(null)
  const [before, setBefore] = useState<SettlePreview | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (!opened) return
    setPreview(null)
    setBefore(null)
    setError(null)
    const read = new AbortController()
    call('POST /batches/current/settle/preview', { body: { currency }, signal: read.signal }).then(
      setPreview,
      (refusal) => read.signal.aborted || setError(refusal),
    )
    return () => read.abort()
  }, [opened, currency, call])

  async function settle(key: string) {
    const body = { currency, expected_net_amount: preview?.net_amount ?? 0 }
    try {
      const { number } = await call('POST /batches/current/settle', { body, key })
      say(fill(t.done, { number }))
    } catch (refusal) {
      const next = refusal instanceof CallError ? (refusal.extra.preview as SettlePreview | undefined) : undefined
      if (next) {
        setBefore(preview)
        setPreview(next)
      }
      throw refusal
    } finally {
      void invalidate('GET /batches/current', 'GET /batches', 'GET /alerts')
    }
  }
  return { preview, before, error, settle }
}

/** Returns the gateway's refusal; `null` for any other error. */
function gatewayRefusal(error: unknown) {
  return error instanceof CallError && error.code === 'batch_failed' ? <GatewayRefusal error={error} /> : null
}

const ADVICE = {
  gateway_unavailable: 'adviceUnavailable',
  unavailable: 'adviceUnavailable',
  gateway_timeout: 'adviceTimeout',
  batch_empty: 'adviceEmpty',
  unsupported: 'adviceUnsupported',
} as const

function GatewayRefusal({ error }: { error: CallError }) {
  const t = useTexts(TEXTS)
  const gateway = error.extra.gateway as { code: string; message: string } | undefined
  const { code = '', message = error.message } = gateway ?? {}
  const advice = ADVICE[code as keyof typeof ADVICE] ?? 'adviceRefused'
  return (
    <Alert color="red" variant="outline" title={t.gatewayRefused} role="alert">
      <p>{fill(t.gatewaySays, { message, code })}</p>
      <p>{t[advice]}</p>
    </Alert>
  )
}
