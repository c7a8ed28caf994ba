import type { ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { AppLink } from '../../kit/links.tsx'
import { pageOfObject } from '../../kit/object-page.ts'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEAM_TEXTS } from './texts/texts.ts'

export type AuditEntry = ResponseOf<'GET /audit/{id}'>

const TONES = { done: 'good', requested: 'info', refused: 'warn' } as const

export function Outcome({ outcome }: Pick<AuditEntry, 'outcome'>) {
  const t = useTexts(TEAM_TEXTS)
  return <Status tone={TONES[outcome]}>{t[`${outcome}_outcome`]}</Status>
}

/** The object, by its kind and id, and its page where it has one. */
export function About({ about: { type, id } }: { about: NonNullable<AuditEntry['about']> }) {
  const nameOf = useAuditName()
  const to = pageOfObject(type, id)
  const text = <code className="short-id">{id}</code>
  return (
    <>
      <div>{nameOf(type)}</div>
      {to === null ? text : <AppLink to={to}>{text}</AppLink>}
    </>
  )
}

/** An e-mail, a key by its name, or what acts by itself. */
export function Actor({ actor: { kind, name, id } }: Pick<AuditEntry, 'actor'>) {
  const t = useTexts(TEAM_TEXTS)
  if (kind === 'person') return name ?? id
  return name === null ? t[kind] : `${t[kind]}: ${name}`
}
