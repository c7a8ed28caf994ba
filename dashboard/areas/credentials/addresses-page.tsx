import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AllowedIp, RefusedAddress } from '../../../contract/dashboard/credentials-api.ts'
import { useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { Empty } from '../../kit/empty.tsx'
import type { Column } from '../../kit/list.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { Page } from '../../kit/page.tsx'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { WholeList } from '../../kit/whole-list.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

type Row = AllowedIp & { id: string }

export default function AddressesPage() {
  const t = useTexts(CREDENTIAL_TEXTS)
  const read = useRead('GET /allowed_ips')
  /** The address that the dialog begins with. */
  const [added, setAdded] = useState<string | null>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  const columns = useColumns(setRemoved)
  const add = <Button onClick={() => setAdded('')}>{t.addAddress}</Button>
  const rows = read.data?.data.map((row) => ({ ...row, id: row.address }))
  return (
    <Page title={t.addressesTitle} actions={add}>
      <p>{t.addressesText}</p>
      <WholeList<Row>
        caption={t.addressesTitle}
        columns={columns}
        rows={rows}
        error={read.error}
        onRetry={() => void read.refetch()}
        empty={
          <Empty
            kind="nothing"
            title={t.noAddresses}
            text={t.noAddressesText}
            action={add}
            guide="description/authentication"
          />
        }
      />
      {read.data && <Refused rows={read.data.view.refused} allow={setAdded} />}
      {added !== null && (
        <AddDialog first={added} yourIp={read.data?.view.your_ip ?? null} onClose={() => setAdded(null)} />
      )}
      {removed !== null && <RemoveDialog address={removed} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

function useColumns(remove: (address: string) => void): Column<Row>[] {
  const t = useTexts(CREDENTIAL_TEXTS)
  return [
    { id: 'address', header: t.address, cell: ({ address }) => <code>{address}</code> },
    { id: 'created', header: t.added, cell: ({ created }) => <Instant at={created} /> },
    {
      id: 'seen',
      header: t.lastSeen,
      cell: ({ last_seen_at: at }) => (at === null ? t.never : <Instant at={at} />),
    },
    {
      id: 'actions',
      header: t.actions,
      cell: ({ address }) => (
        <Button variant="default" size="sm" aria-label={`${t.remove} ${address}`} onClick={() => remove(address)}>
          {t.remove}
        </Button>
      ),
    },
  ]
}

function Refused({ rows, allow }: { rows: RefusedAddress[]; allow(address: string): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const columns: Column<RefusedAddress & { id: string }>[] = [
    { id: 'address', header: t.address, cell: ({ address }) => <code>{address}</code> },
    { id: 'calls', header: t.refusedCalls, align: 'end', cell: ({ calls }) => calls },
    { id: 'last', header: t.refusedLast, cell: ({ last_at: at }) => <Instant at={at} /> },
    {
      id: 'actions',
      header: t.actions,
      cell: ({ address }) => (
        <Button variant="default" size="sm" aria-label={`${t.allow} ${address}`} onClick={() => allow(address)}>
          {t.allow}
        </Button>
      ),
    },
  ]
  return (
    <Card title={t.refusedTitle}>
      {rows.length === 0 ? (
        <p>{t.refusedNone}</p>
      ) : (
        <ListTable caption={t.refusedTable} columns={columns} rows={rows.map((row) => ({ ...row, id: row.address }))} />
      )}
    </Card>
  )
}

function AddDialog({ first, yourIp, onClose }: { first: string; yourIp: string | null; onClose(): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const [address, setAddress] = useState(first)
  async function add() {
    const made = await call('POST /allowed_ips', { body: { address: address.trim() } })
    toast(fill(t.addressAdded, { address: made.address }))
    await invalidate('GET /allowed_ips')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.addAddress}
      verb={t.addVerb}
      onConfirm={add}
      disabled={address.trim() === ''}
    >
      <TextInput
        label={t.address}
        description={t.addressHint}
        value={address}
        required
        data-autofocus
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      {yourIp !== null && address === '' && (
        <div>
          <Button variant="default" size="sm" onClick={() => setAddress(yourIp)}>
            {fill(t.thisComputer, { address: yourIp })}
          </Button>
        </div>
      )}
    </ConfirmDialog>
  )
}

function RemoveDialog({ address, onClose }: { address: string; onClose(): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  async function remove() {
    await call('POST /allowed_ips/remove', { body: { address } })
    toast(fill(t.addressRemoved, { address }))
    await invalidate('GET /allowed_ips')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.removeTitle, { address })}
      verb={t.removeVerb}
      tone="danger"
      onConfirm={remove}
    >
      <p>{t.removeText}</p>
    </ConfirmDialog>
  )
}
