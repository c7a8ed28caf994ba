import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import type { Role } from '../../../contract/permissions.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { RoleInput } from './role-input.tsx'
import { TEAM_TEXTS } from './texts/texts.ts'

type Invitation = ResponseOf<'GET /team'>['invitations'][number]

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useTexts(TEAM_TEXTS)
  const [call, invalidate, toast] = [useCall(), useInvalidate(), useToast()]
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('support')
  async function invite(key: string) {
    const made = await call('POST /team/invitations', { body: { email: email.trim(), role }, key })
    toast(fill(t.invited, { email: made.email }))
    setEmail('')
    await invalidate('GET /team')
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.inviteTitle}
      verb={t.inviteVerb}
      disabled={email.trim() === ''}
      onConfirm={invite}
    >
      <p>{t.inviteText}</p>
      <TextInput
        type="email"
        label={t.email}
        value={email}
        autoComplete="off"
        data-autofocus
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <RoleInput value={role} onChange={setRole} />
    </ConfirmDialog>
  )
}

/** Invitations that are not accepted yet. */
export function Invitations({ invitations }: { invitations: Invitation[] }) {
  const t = useTexts(TEAM_TEXTS)
  const may = useMay('team.write')
  const [chosen, setChosen] = useState<Invitation | null>(null)
  const [call, invalidate] = [useCall(), useInvalidate()]
  async function withdraw() {
    await call('DELETE /team/invitations/{id}', { params: { id: chosen?.id ?? '' } })
    await invalidate('GET /team')
  }
  return (
    <Card title={t.invitations}>
      <div className="table-scroll">
        <table>
          <caption className="only-read">{t.invitations}</caption>
          <thead>
            <tr>
              <th scope="col">{t.email}</th>
              <th scope="col">{t.role}</th>
              <th scope="col">{t.invitedBy}</th>
              <th scope="col">{t.expires}</th>
              <th scope="col">{t.actions}</th>
            </tr>
          </thead>
          <tbody>
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} {...{ invitation, may }} onWithdraw={() => setChosen(invitation)} />
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        title={fill(t.withdrawTitle, { email: chosen?.email ?? '' })}
        verb={t.withdraw}
        tone="danger"
        onConfirm={withdraw}
      >
        <p>{t.withdrawText}</p>
      </ConfirmDialog>
    </Card>
  )
}

interface InvitationRowProps {
  invitation: Invitation
  may: boolean
  onWithdraw(): void
}

function InvitationRow({ invitation, may, onWithdraw }: InvitationRowProps) {
  const t = useTexts(TEAM_TEXTS)
  const { email, role, invited_by: inviter, expires, is_expired: isExpired } = invitation
  return (
    <tr>
      <th scope="row">{email}</th>
      <td>{t[role]}</td>
      <td>{inviter}</td>
      <td>{isExpired ? <Status tone="warn">{t.expired}</Status> : <Instant at={expires} />}</td>
      <td>
        {may && (
          <Button variant="default" size="sm" aria-label={fill(t.withdrawOf, { email })} onClick={onWithdraw}>
            {t.withdraw}
          </Button>
        )}
      </td>
    </tr>
  )
}
