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

/** Returns the page of the object, or the page of the object that shows it. */
export const pageOfEntry = ({ about, shown_on: shownOn }: Pick<AuditEntry, 'about' | 'shown_on'>): string | null =>
  (about && pageOfObject(about.type, about.id)) ?? (shownOn && pageOfObject(shownOn.type, shownOn.id))

/** The object by kind and id, with a link if it has a page. */
export function About({ entry }: { entry: AuditEntry }) {
  const nameOf = useAuditName()
  if (entry.about === null) return null
  const { type, id } = entry.about
  const to = pageOfEntry(entry)
  const text = <code className="short-id">{id}</code>
  return (
    <>
      <div>{nameOf(type)}</div>
      {to === null ? text : <AppLink to={to}>{text}</AppLink>}
    </>
  )
}

/** The e-mail address of a person, the name of a key, or the name of an automatic actor. */
export function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  return useActorText()(actor)
}

export function useActorText(): (actor: AuditEntry['actor']) => string {
  const t = useTexts(TEAM_TEXTS)
  return ({ kind, name, id }) => {
    if (kind === 'person') return name ?? id ?? t.person
    return name === null ? t[kind] : `${t[kind]}: ${name}`
  }
}
