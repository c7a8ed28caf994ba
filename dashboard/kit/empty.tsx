import type { ReactNode } from 'react'
import { type Permission, rolesWith } from '../../contract/permissions.ts'
import { fill } from '../../contract/text.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { HelpLink } from './links.tsx'
import { useMe } from './me.ts'
import { useTexts } from './texts.ts'

type EmptyProps =
  | {
      kind: 'nothing'
      title?: string
      /** Explains what will appear here, and how. */
      text?: ReactNode
      /** Button for the first step. */
      action?: ReactNode
      /** Part of the API reference that explains it: `tag/customers`. */
      guide?: string
    }
  | { kind: 'noMatch'; text?: ReactNode; action?: ReactNode }
  | { kind: 'notAllowed'; permission: Permission }

/** Explains why nothing is shown: there is nothing yet, nothing matches, or the role may not see it (DSH-31). */
export function Empty(props: EmptyProps) {
  const t = useTexts(KIT_TEXTS)
  if (props.kind === 'notAllowed') return <NotAllowed permission={props.permission} />
  const isNothing = props.kind === 'nothing'
  return (
    <div className="empty">
      <p className="empty-title">{isNothing ? (props.title ?? t.nothingYet) : t.noMatch}</p>
      {isNothing ? props.text && <p>{props.text}</p> : <p>{props.text ?? t.noMatchText}</p>}
      {props.action && <div className="empty-action">{props.action}</div>}
      {isNothing && props.guide && (
        <p className="empty-guide">
          <HelpLink part={props.guide}>{t.guide}</HelpLink>
        </p>
      )}
    </div>
  )
}

function NotAllowed({ permission }: { permission: Permission }) {
  const t = useTexts(KIT_TEXTS)
  const { environment } = useMe()
  const roles = rolesWith(permission, environment).map((role) => t[`role_${role}`])
  const last = roles.at(-1) ?? ''
  const list = roles.slice(0, -1).join(', ')
  const text = list === '' ? last : fill(t.or, { list, last })
  return (
    <div className="empty">
      <p className="empty-title">{t.notAllowed}</p>
      <p>{fill(t.notAllowedText, { roles: text })}</p>
    </div>
  )
}
