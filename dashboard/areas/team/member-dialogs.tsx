import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { MadeCredential } from '../../../contract/dashboard/team-api.ts'
import type { Role } from '../../../contract/permissions.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { currentOf, useEdited } from '../../kit/edited.ts'
import { AppLink } from '../../kit/links.tsx'
import { useBusiness } from '../../kit/me.ts'
import { Meanwhile } from '../../kit/meanwhile.tsx'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import type { Member } from './member.ts'
import { RoleInput } from './role-input.tsx'
import { TEAM_TEXTS } from './texts/texts.ts'

export interface MemberStep {
  kind: 'changeRole' | 'remove' | 'leave' | 'resetFactors' | 'transfer'
  member: Member
}

interface StepProps {
  member: Member
  onClose(): void
}

/** The dialog for a change of one person. Every change requires step-up. */
export function MemberDialog({ step: { kind, member }, onClose }: { step: MemberStep; onClose(): void }) {
  const Dialog = {
    changeRole: RoleDialog,
    remove: RemoveDialog,
    leave: LeaveDialog,
    resetFactors: ResetDialog,
    transfer: TransferDialog,
  }[kind]
  return <Dialog member={member} onClose={onClose} />
}

/** Returns a function to call after a change: it reads the team again and announces the success. */
function useDone(): () => Promise<void> {
  const t = useTexts(TEAM_TEXTS)
  const [invalidate, toast] = [useInvalidate(), useToast()]
  return async () => {
    await invalidate('GET /team')
    toast(t.done)
  }
}

function RoleDialog({ member, onClose }: StepProps) {
  const t = useTexts(TEAM_TEXTS)
  const [call, done, invalidate] = [useCall(), useDone(), useInvalidate()]
  const { base, draft, setDraft, changed, commit } = useEdited(member, roleOf)
  const { role } = draft
  async function change() {
    const body = { version: base.version, role }
    try {
      await commit(() => call('PATCH /team/members/{id}', { params: { id: member.id }, body }))
    } catch (error) {
      await invalidate('GET /team')
      throw error
    }
    await done()
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.roleTitle, { email: member.email })}
      verb={t.roleVerb}
      disabled={role === base.role}
      onConfirm={change}
      refusalOf={(error) => (currentOf(error) ? '' : null)}
    >
      <Meanwhile changes={changed?.map(() => [t.role, t[base.role]])} />
      <p>{t.roleText}</p>
      <RoleInput value={role} onChange={(chosen) => setDraft({ role: chosen })} />
      {role !== base.role && <CredentialsOf member={member} newRole={role} />}
    </ConfirmDialog>
  )
}

const roleOf = ({ role }: Member): { role: Role } => ({ role })

function RemoveDialog({ member, onClose }: StepProps) {
  const t = useTexts(TEAM_TEXTS)
  const [call, done] = [useCall(), useDone()]
  const remove = () => call('DELETE /team/members/{id}', { params: { id: member.id } }).then(done)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.removeTitle, { email: member.email })}
      verb={t.remove}
      tone="danger"
      onConfirm={remove}
    >
      <p>{t.removeText}</p>
      <CredentialsOf member={member} newRole={null} />
    </ConfirmDialog>
  )
}

function LeaveDialog({ member, onClose }: StepProps) {
  const t = useTexts(TEAM_TEXTS)
  const call = useCall()
  async function leave() {
    await call('POST /team/leave')
    location.assign('/dashboard')
  }
  return (
    <ConfirmDialog opened onClose={onClose} title={t.leaveTitle} verb={t.leave} tone="danger" onConfirm={leave}>
      <p>{t.leaveText}</p>
      <CredentialsOf member={member} newRole={null} />
    </ConfirmDialog>
  )
}

interface CredentialsProps {
  member: Member
  /** `null` if the person leaves. */
  newRole: Role | null
}

/** Credentials that the person created for servers, and which of them end: the shop may stop working. */
function CredentialsOf({ member, newRole }: CredentialsProps) {
  const t = useTexts(TEAM_TEXTS)
  const query = newRole === null ? {} : { role: newRole }
  const { data } = useRead('GET /team/members/{id}/credentials', { params: { id: member.id }, query })
  const ending = data?.data.filter(({ ends }) => ends) ?? []
  const staying = data?.data.filter(({ ends }) => !ends) ?? []
  return (
    <>
      <CredentialList text={t.credentialsEnd} rows={ending} hint={t.credentialsEndHint} />
      <CredentialList text={t.credentialsStay} rows={staying} />
    </>
  )
}

function CredentialList({ text, rows, hint }: { text: string; rows: MadeCredential[]; hint?: string }) {
  const t = useTexts(TEAM_TEXTS)
  if (rows.length === 0) return null
  return (
    <div>
      <p>{text}</p>
      <ul>
        {rows.map(({ type, id, name, last_four: end }) => (
          <li key={id}>
            {t[`credential_${type}`]}: {name} {end !== null && <code>{`…${end}`}</code>}
          </li>
        ))}
      </ul>
      {hint && (
        <p>
          {hint} <AppLink to="keys">{t.removeShowKeys}</AppLink>, <AppLink to="clients">{t.removeShowClients}</AppLink>
        </p>
      )}
    </div>
  )
}

function ResetDialog({ member, onClose }: StepProps) {
  const t = useTexts(TEAM_TEXTS)
  const [call, done] = [useCall(), useDone()]
  const reset = () => call('POST /team/members/{id}/reset-factors', { params: { id: member.id } }).then(done)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.resetTitle, { email: member.email })}
      verb={t.resetVerb}
      tone="danger"
      disabled={member.has_other_business}
      onConfirm={reset}
    >
      <p>{member.has_other_business ? t.resetForeign : t.resetText}</p>
    </ConfirmDialog>
  )
}

function TransferDialog({ member, onClose }: StepProps) {
  const t = useTexts(TEAM_TEXTS)
  const { name } = useBusiness()
  const call = useCall()
  const [typed, setTyped] = useState('')
  async function transfer() {
    await call('POST /team/ownership', { body: { user_id: member.id, business_name: typed } })
    // The role of the current person has changed too.
    location.reload()
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.transferTitle, { email: member.email })}
      verb={t.transferVerb}
      tone="danger"
      disabled={typed.trim() !== name.trim()}
      onConfirm={transfer}
    >
      <p>{t.transferText}</p>
      <TextInput
        label={fill(t.transferType, { name })}
        value={typed}
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
