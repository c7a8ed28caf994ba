import type { ReactNode } from 'react'
import type { ShownAuthentication } from '../../contract/dashboard/authentication.ts'
import { Card, CopyId, Fields } from './detail.tsx'
import { ListTable } from './list-table.tsx'
import { useMoney } from './money.tsx'
import { Status, type Tone } from './status.tsx'
import { defineTexts, fill, useTexts } from './texts.ts'
import { en } from './three-ds-texts/en.ts'
import { Instant } from './time.tsx'

const THREE_DS_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./three-ds-texts/fr-CA.ts'),
  es: () => import('./three-ds-texts/es.ts'),
})

type Texts = ReturnType<typeof useTexts<typeof en>>

/** How the payer was authenticated for a payment. */
export function ThreeDsFacts({ authentication }: { authentication: ShownAuthentication }) {
  const t = useTexts(THREE_DS_TEXTS)
  const { eci, message_version: version, liability_shift: isShifted, with_challenge: isChallenged } = authentication
  return (
    <Card title={t.threeDs}>
      <Fields
        items={[
          [t.result, resultText(authentication, t)],
          [t.liability, isShifted ? t.withIssuer : t.withMerchant],
          [t.challenge, isChallenged ? t.yes : t.no],
          ['ECI', eci],
          [t.version, version],
          [t.serverId, idOf(authentication.server_transaction_id, t.serverId)],
          [t.dsId, idOf(authentication.ds_transaction_id, t.dsId)],
          [t.acsId, idOf(authentication.acs_transaction_id, t.acsId)],
        ]}
      />
    </Card>
  )
}

const idOf = (id: string | null, label: string): ReactNode => id && <CopyId id={id} label={label} />

/** Authentications that were tried in a session. Renders nothing if 3-D Secure was not used. */
export function Authentications({ tried, currency }: { tried: ShownAuthentication[]; currency: string }) {
  const t = useTexts(THREE_DS_TEXTS)
  const money = useMoney()
  if (tried.length === 0) return null
  return (
    <Card title={t.threeDs}>
      <ListTable
        caption={t.threeDs}
        rows={tried}
        columns={[
          { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
          { id: 'amount', header: t.amount, align: 'end', cell: ({ amount }) => money(amount, currency) },
          { id: 'result', header: t.result, cell: (one) => <Status tone={toneOf(one)}>{resultText(one, t)}</Status> },
          { id: 'challenge', header: t.challenge, cell: ({ with_challenge: is }) => (is ? t.yes : t.no) },
          { id: 'eci', header: 'ECI', cell: ({ eci }) => eci },
          { id: 'version', header: t.version, cell: ({ message_version: version }) => version },
        ]}
      />
    </Card>
  )
}

const TONES: Record<ShownAuthentication['status'], Tone> = {
  in_progress: 'info',
  authenticated: 'good',
  used: 'good',
  failed: 'bad',
  expired: 'plain',
}

const toneOf = ({ status }: ShownAuthentication): Tone => TONES[status]

/** Returns the transaction status in words, with its letter; without one, how the authentication ended. */
function resultText({ status, trans_status: result }: ShownAuthentication, t: Texts): string {
  if (status === 'expired' || status === 'in_progress') return t[status]
  if (result === null) return status === 'failed' ? t.failed : t.noResult
  return `${t[result]} (${result})`
}

interface AuthenticationLineProps {
  result: NonNullable<ShownAuthentication['trans_status']>
  isChallenged: boolean
}

/** Line of the timeline about an authentication. */
export function AuthenticationLine({ result, isChallenged }: AuthenticationLineProps) {
  const t = useTexts(THREE_DS_TEXTS)
  return <>{fill(isChallenged ? t.challengedLine : t.line, { result: t[result] })}</>
}
