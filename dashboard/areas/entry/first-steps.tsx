import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fill } from '../../../contract/text.ts'
import { callIn } from '../../kit/call.ts'
import type { Me } from '../../kit/me.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Status } from '../../kit/status.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { EntryPage } from './entry-page.tsx'
import { TEXTS } from './texts/texts.ts'

const TEST_CENTS = 2_000

/**
 * Steps after the business was created: test the gateway, then create a first payment or key. Each step can be skipped.
 */
export function FirstSteps({ businessId, me }: { businessId: string; me: Me }) {
  const t = useTexts(TEXTS)
  const pathOf = (page: string) => `/dashboard/b/${businessId}/${page}`
  const isStaging = me.environment === 'staging'
  return (
    <EntryPage title={t.doneStep}>
      <p>{t.doneText}</p>
      <ol className="stack">
        <Step title={t.testGateway} text={t.testGatewayText}>
          <GatewayTest businessId={businessId} />
        </Step>
        {isStaging && (
          <Step title={t.firstPayment} text={t.firstPaymentText}>
            <TestPayment businessId={businessId} email={me.user.email} />
          </Step>
        )}
        <Step title={t.firstKey} text={t.firstKeyText}>
          <a href={pathOf('keys')}>{t.toKeys}</a>
        </Step>
      </ol>
      <Button component="a" href={pathOf('home')}>
        {t.toHome}
      </Button>
    </EntryPage>
  )
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <strong>{title}</strong>
      <div className="dimmed">{text}</div>
      <div className="step-action">{children}</div>
    </li>
  )
}

interface Tested {
  name: string
  isReached: boolean
  text: string
}

function GatewayTest({ businessId }: { businessId: string }) {
  const t = useTexts(TEXTS)
  const settings = useQuery({
    queryKey: [businessId, 'GET /settings', {}, {}],
    queryFn: () => callIn(businessId, 'GET /settings'),
  })
  const [tested, setTested] = useState<Tested[]>([])
  const terminals = settings.data?.view.terminals ?? []
  const { submit, isSending, error } = useSubmit(async () => {
    setTested([])
    for (const { id, gateway, currency } of terminals) {
      const found = await callIn(businessId, 'POST /settings/terminals/{id}/test', { params: { id } })
      const isReached = found.is_reached
      const text = isReached
        ? fill(t.reached, { ms: found.milliseconds })
        : fill(t.notReached, { message: found.message ?? '' })
      setTested((before) => [...before, { name: `${gateway}, ${currency}`, isReached, text }])
    }
  })
  return (
    <>
      <Refusal error={settings.error ?? error} />
      <Button variant="default" size="sm" loading={isSending} disabled={terminals.length === 0} onClick={submit}>
        {t.test}
      </Button>
      <div role="status">
        {tested.map(({ name, isReached, text }) => (
          <div key={name}>
            {name} <Status tone={isReached ? 'good' : 'bad'}>{text}</Status>
          </div>
        ))}
      </div>
    </>
  )
}

function TestPayment({ businessId, email }: { businessId: string; email: string }) {
  const t = useTexts(TEXTS)
  const [url, setUrl] = useState<string | null>(null)
  const { submit, isSending, error } = useSubmit(async () => {
    const body = { amount_total: TEST_CENTS, customer_email: email, description: t.firstPaymentName }
    setUrl((await callIn(businessId, 'POST /checkout_sessions', { body })).checkout_url)
  })
  return (
    <>
      <Refusal error={error} />
      {url === null ? (
        <Button variant="default" size="sm" loading={isSending} onClick={submit}>
          {t.makePayment}
        </Button>
      ) : (
        <div role="status">
          <a href={url} target="_blank" rel="noreferrer">
            {t.openPayment}
          </a>
        </div>
      )}
    </>
  )
}
