import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ContractDetail } from '../../../contract/dashboard/contracts-api.ts'
import { useCall } from '../../kit/call.ts'
import { personName } from '../../kit/customer-picker.tsx'
import { Card, Fields } from '../../kit/detail.tsx'
import { DownloadButton } from '../../kit/download-button.tsx'
import { LinkOnDemand } from '../../kit/link-on-demand.tsx'
import { AppLink, usePathParam } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useDayText } from '../../kit/time.tsx'
import { ContractActions } from './contract-actions.tsx'
import { ContractStatus } from './contract-status.tsx'
import { CONTRACT_TEXTS } from './texts/texts.ts'

export default function ContractPage() {
  const t = useTexts(CONTRACT_TEXTS)
  const id = usePathParam('id')
  const read = useRead('GET /contracts/{id}', { params: { id } })
  const contract = read.data
  return (
    <Page
      title={contract?.title ?? t.title}
      badge={contract && <ContractStatus contract={contract} />}
      breadcrumbs={[{ label: t.title, to: 'contracts' }]}
      idLabel={t.number}
      actions={contract && <ContractActions contract={contract} />}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {contract && <Contract contract={contract} />}
    </Page>
  )
}

function Contract({ contract }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const call = useCall()
  const mayShow = useMay('contracts.write')
  const { id, status, text, title } = contract
  return (
    <>
      {contract.is_awaited && contract.linked && <Waiting contract={contract} linked={contract.linked} />}
      {status === 'sent' && mayShow && (
        <Card title={t.link}>
          <p>{t.linkText}</p>
          <LinkOnDemand label={t.link} show={() => call('POST /contracts/{id}/show_link', { params: { id } })} />
        </Card>
      )}
      <Details contract={contract} />
      <article className="contract-sheet">
        <Card title={t.text} actions={<PaperActions id={id} />}>
          <h3>{title}</h3>
          <div className="contract-text">{text}</div>
          <Signature contract={contract} />
        </Card>
      </article>
    </>
  )
}

function PaperActions({ id }: { id: string }) {
  const t = useTexts(CONTRACT_TEXTS)
  return (
    <>
      <DownloadButton name="GET /contracts/{id}/pdf" options={{ params: { id } }} fileName={`contract-${id}.pdf`}>
        {t.downloadPdf}
      </DownloadButton>
      <Button variant="default" size="sm" onClick={() => window.print()}>
        {t.print}
      </Button>
    </>
  )
}

interface WaitingProps {
  contract: ContractDetail
  linked: NonNullable<ContractDetail['linked']>
}

/** Charges that wait for the signature of this contract, or of one that replaces it. */
function Waiting({ contract: { status, customer }, linked }: WaitingProps) {
  const t = useTexts(CONTRACT_TEXTS)
  const mayWrite = useMay('contracts.write')
  const [money, day] = [useMoney(), useDayText()]
  const { id, description: what, amount, currency, next_billing_date: next } = linked
  if (status === 'void')
    return (
      <Alert color="yellow" variant="outline" title={t.replaceable} role="group">
        <p>{fill(t.replaceableText, { what })}</p>
        {mayWrite && (
          <AppLink to={`contracts/new?customer=${customer.id}&subscription=${id}`}>{t.writeAnother}</AppLink>
        )}
      </Alert>
    )
  const text = next
    ? fill(t.awaitedText, { what, amount: money(amount, currency), day: day(next) })
    : fill(t.awaitedNoBill, { what })
  return (
    <Alert color="yellow" variant="outline" title={t.awaited} role="group">
      {text}
    </Alert>
  )
}

function Details({ contract }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const { customer, linked, created, sent_at: sent, signed_at: signed, voided_at: voided } = contract
  const times: [string, number | null][] = [
    [t.created, created],
    [t.sentAt, sent],
    [t.signedAt, signed],
    [t.voidedAt, voided],
  ]
  const shown = times.flatMap(([label, at]): [string, ReactNode][] =>
    at === null ? [] : [[label, <Instant key={label} at={at} />]],
  )
  return (
    <Card title={t.details}>
      <Fields
        items={[
          [
            t.customer,
            <AppLink key="customer" to={`customers/${customer.id}`}>
              {personName(customer)}
            </AppLink>,
          ],
          [
            t.subscription,
            linked && (
              <AppLink key="subscription" to={`subscriptions/${linked.id}`}>
                {linked.description || t.showSubscription}
              </AppLink>
            ),
          ],
          ...shown,
        ]}
      />
    </Card>
  )
}

function Signature({ contract }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const { signature } = contract
  if (signature === null) return null
  return (
    <section className="contract-signature">
      <h3>{t.signature}</h3>
      <Fields
        items={[
          [t.signer, signature.name],
          [t.signedAt, <Instant key="at" at={signature.at} seconds />],
          [t.signedFrom, signature.ip],
        ]}
      />
      {signature.team_seen_there && <p>{t.teamSeenThere}</p>}
      <p className="dimmed">{t.unchangeable}</p>
    </section>
  )
}
