import { Button } from '@mantine/core'
import { useState } from 'react'
import type { EndpointOfPage, EndpointWithSecret } from '../../../contract/dashboard/webhooks-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { currentOf, useEdited } from '../../kit/edited.ts'
import { FormProblems } from '../../kit/form.tsx'
import { useGo } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { Meanwhile } from '../../kit/meanwhile.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useRefusalText } from '../../kit/refusal.tsx'
import { SecretDialog } from '../../kit/secret-dialog.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { bodyOfDraft, type EndpointDraft, EndpointFields, isComplete } from './endpoint-form.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { useSpentHourText } from './spent-hour.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

export type EndpointDoing = 'edit' | 'disable' | 'remove' | 'rotate' | 'redeliver'

interface ButtonsProps {
  endpoint: EndpointOfPage
  act(doing: EndpointDoing): void
}

export function EndpointButtons({ endpoint, act }: ButtonsProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const mayWrite = useMay('webhooks.write')
  const { ping, enable } = useAtOnce(endpoint)
  if (!mayWrite) return null
  const isEnabled = endpoint.status === 'enabled'
  const button = (doing: EndpointDoing, label: string) => (
    <Button variant="default" onClick={() => act(doing)}>
      {label}
    </Button>
  )
  return (
    <>
      {isEnabled && <Button onClick={() => void ping()}>{t.test}</Button>}
      {isEnabled ? button('redeliver', t.redeliver) : <Button onClick={() => void enable()}>{t.enable}</Button>}
      {button('edit', t.edit)}
      {button('rotate', t.rotate)}
      {isEnabled && button('disable', t.disable)}
      {button('remove', t.remove)}
    </>
  )
}

/** Returns actions without a confirmation: they can be undone, or do no harm. */
function useAtOnce({ id, version }: EndpointOfPage) {
  const t = useTexts(WEBHOOK_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const refusalText = useRefusalText()
  const spentText = useSpentHourText()
  return {
    async ping() {
      await call('POST /webhook_endpoints/{id}/test', { params: { id } }).then(
        () => toast(t.tested),
        (error: unknown) => toast(spentText(error) ?? refusalText(error)),
      )
      await invalidate('GET /webhook_endpoints/{id}/deliveries')
    },
    async enable() {
      const body = { version, status: 'enabled' as const }
      await call('PATCH /webhook_endpoints/{id}', { params: { id }, body }).then(
        () => toast(t.enabledNow),
        (error: unknown) => toast(refusalText(error)),
      )
      await invalidate('GET /webhook_endpoints/{id}', 'GET /webhook_endpoints')
    },
  }
}

interface DialogsProps {
  endpoint: EndpointOfPage
  doing: EndpointDoing | null
  onClose(): void
}

export function EndpointDialogs({ endpoint, doing, onClose }: DialogsProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const [rotated, setRotated] = useState<EndpointWithSecret | null>(null)
  return (
    <>
      {doing === 'edit' && <EditDialog endpoint={endpoint} onClose={onClose} />}
      {(doing === 'disable' || doing === 'remove') && <EndDialog {...{ endpoint, doing, onClose }} />}
      {doing === 'rotate' && <RotateDialog endpoint={endpoint} onClose={onClose} onMade={setRotated} />}
      {doing === 'redeliver' && <RedeliverDialog endpoint={endpoint} onClose={onClose} />}
      {rotated && (
        <SecretDialog
          title={t.secretTitle}
          secrets={[{ label: t.secret, secret: rotated.secret }]}
          goneText={t.secretGone}
          onClose={() => setRotated(null)}
        />
      )}
    </>
  )
}

function EditDialog({ endpoint, onClose }: { endpoint: EndpointOfPage; onClose(): void }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const { base, draft, setDraft, changed, commit } = useEdited(endpoint, draftOf)
  async function save() {
    const body = { version: base.version, ...bodyOfDraft(draft) }
    try {
      await commit(() => call('PATCH /webhook_endpoints/{id}', { params: { id: endpoint.id }, body }))
      toast(t.saved)
    } finally {
      await invalidate('GET /webhook_endpoints/{id}', 'GET /webhook_endpoints')
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.editTitle}
      verb={t.save}
      onConfirm={save}
      disabled={!isComplete(draft)}
      refusalOf={(error) =>
        currentOf(error) ? (
          ''
        ) : (
          <FormProblems error={error} labels={{ url: t.url, basic_auth: t.auth, enabled_events: t.types }} />
        )
      }
    >
      <Meanwhile changes={changed?.map((name) => [t[name], shownOf(base, t)[name]])} />
      <EndpointFields draft={draft} onChange={setDraft} />
    </ConfirmDialog>
  )
}

const draftOf = ({
  url,
  basic_auth: hasAuth,
  description,
  enabled_events,
  ordered,
}: EndpointOfPage): EndpointDraft => ({
  url,
  auth: hasAuth ? 'kept' : 'none',
  description: description ?? '',
  types: enabled_events,
  ordered,
})

type Texts = ReturnType<typeof useTexts<(typeof WEBHOOK_TEXTS)['english']>>

/** Returns the texts of an endpoint's values. */
const shownOf = (endpoint: EndpointOfPage, t: Texts): Record<keyof EndpointDraft, string> => ({
  url: endpoint.url,
  auth: endpoint.basic_auth ? t.yes : t.no,
  description: endpoint.description ?? '',
  types: endpoint.enabled_events.includes('*') ? t.allEvents : endpoint.enabled_events.join(', '),
  ordered: endpoint.ordered ? t.yes : t.no,
})

interface EndProps {
  endpoint: EndpointOfPage
  doing: 'disable' | 'remove'
  onClose(): void
}

function EndDialog({ endpoint: { id, version, url }, doing, onClose }: EndProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const go = useGo()
  const isRemoved = doing === 'remove'
  async function end() {
    try {
      if (isRemoved) {
        await call('DELETE /webhook_endpoints/{id}', { params: { id } })
        await go('webhooks', { replace: true })
      } else {
        await call('PATCH /webhook_endpoints/{id}', { params: { id }, body: { version, status: 'disabled' } })
      }
      toast(isRemoved ? t.removed : t.disabledNow)
    } finally {
      await invalidate('GET /webhook_endpoints', ...(isRemoved ? [] : (['GET /webhook_endpoints/{id}'] as const)))
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={isRemoved ? t.removeTitle : t.disableTitle}
      verb={isRemoved ? t.removeVerb : t.disableVerb}
      tone="danger"
      onConfirm={end}
    >
      <p>{fill(isRemoved ? t.removeText : t.disableText, { url })}</p>
    </ConfirmDialog>
  )
}

interface RotateProps {
  endpoint: EndpointOfPage
  onClose(): void
  onMade(made: EndpointWithSecret): void
}

function RotateDialog({ endpoint: { id }, onClose, onMade }: RotateProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  async function rotate(key: string) {
    onMade(await call('POST /webhook_endpoints/{id}/rotate_secret', { params: { id }, key }))
    await invalidate('GET /webhook_endpoints/{id}')
  }
  return (
    <ConfirmDialog opened onClose={onClose} title={t.rotateTitle} verb={t.rotate} onConfirm={rotate}>
      <p>{t.rotateText}</p>
    </ConfirmDialog>
  )
}
