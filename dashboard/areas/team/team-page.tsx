import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { fill } from '../../../contract/text.ts'
import { Card } from '../../kit/detail.tsx'
import { DropMenu } from '../../kit/drop-menu.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useBusiness, useMay } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { Invitations, InviteDialog } from './invitations.tsx'
import type { Member } from './member.ts'
import { MemberDialog, type MemberStep } from './member-dialogs.tsx'
import { TEAM_TEXTS } from './texts/texts.ts'

/** The people of the business and their roles. */
export default function TeamPage() {
  const t = useTexts(TEAM_TEXTS)
  const read = useRead('GET /team')
  const may = useMay('team.write')
  const [isInviting, setInviting] = useState(false)
  const [step, setStep] = useState<MemberStep | null>(null)
  const invite = may && <Button onClick={() => setInviting(true)}>{t.invite}</Button>
  return (
    <Page title={t.team} actions={invite}>
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && (
        <>
          <Card title={t.people} actions={<AppLink to="team/roles">{t.rolesLink}</AppLink>}>
            <People members={read.data.data} onStep={setStep} />
          </Card>
          {read.data.invitations.length > 0 && <Invitations invitations={read.data.invitations} />}
        </>
      )}
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      {step && <MemberDialog step={step} onClose={() => setStep(null)} />}
    </Page>
  )
}

function People({ members, onStep }: { members: Member[]; onStep(step: MemberStep): void }) {
  const t = useTexts(TEAM_TEXTS)
  return (
    <div className="table-scroll">
      <table>
        <caption className="only-read">{t.people}</caption>
        <thead>
          <tr>
            <th scope="col">{t.person}</th>
            <th scope="col">{t.role}</th>
            <th scope="col">{t.secondFactor}</th>
            <th scope="col">{t.lastSeen}</th>
            <th scope="col">{t.invitedBy}</th>
            <th scope="col">{t.actions}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <PersonRow key={member.id} member={member} onStep={onStep} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PersonRow({ member, onStep }: { member: Member; onStep(step: MemberStep): void }) {
  const t = useTexts(TEAM_TEXTS)
  const { email, name, role, is_you: isYou } = member
  return (
    <tr>
      <th scope="row">
        {name} {isYou && <span className="dimmed">{`(${t.you})`}</span>}
        <div className="dimmed">{email}</div>
      </th>
      <td>{t[role]}</td>
      <td>
        <Status tone={member.has_second_factor ? 'good' : 'warn'}>
          {member.has_second_factor ? t.hasFactor : t.noFactor}
        </Status>
      </td>
      <td>{member.last_seen === null ? t.never : <Instant at={member.last_seen} />}</td>
      <td>{member.invited_by ?? t.byOperator}</td>
      <td>
        <Actions member={member} onStep={onStep} />
      </td>
    </tr>
  )
}

/** Actions on a member; the server has the final say. */
function Actions({ member, onStep }: { member: Member; onStep(step: MemberStep): void }) {
  const t = useTexts(TEAM_TEXTS)
  const { role } = useBusiness()
  const mayChange = useMay('team.write') && (role === 'owner' || member.role !== 'owner')
  const mayTransfer = useMay('ownership.transfer')
  const steps: MemberStep['kind'][] = member.is_you
    ? ['leave']
    : [
        ...(mayChange ? (['changeRole', 'resetFactors', 'remove'] as const) : []),
        ...(mayTransfer ? (['transfer'] as const) : []),
      ]
  if (steps.length === 0) return null
  return (
    <DropMenu
      position="bottom-end"
      target={
        <Button variant="default" size="sm" aria-label={fill(t.actionsOf, { email: member.email })}>
          {t.actions}
        </Button>
      }
    >
      {steps.map((kind) => (
        <Menu.Item key={kind} onClick={() => onStep({ kind, member })}>
          {t[kind]}
        </Menu.Item>
      ))}
    </DropMenu>
  )
}
