import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Copy } from './copy.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { AppLink } from './links.tsx'
import { ScrollingText } from './scrolling.tsx'
import { useTexts } from './texts.ts'

interface CardProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** A section of a page with its own heading. */
export function Card({ title, actions, children }: CardProps) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** Names and values. A missing value is shown as a dash. */
export function Fields({ items }: { items: [label: string, value: ReactNode][] }) {
  return (
    <dl className="fields">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface CopyIdProps {
  id: string
  /** Kind of the object with this id, for screen readers. */
  label: string
  /** Page of the object with this id; `null` if it does not have one. */
  to?: string | null
}

export function CopyId({ id, label, to = null }: CopyIdProps) {
  return (
    <span className="copy-id">
      {to === null ? (
        <code>{id}</code>
      ) : (
        <AppLink to={to}>
          <code>{id}</code>
        </AppLink>
      )}
      <Copy text={id} label={label} />
    </span>
  )
}

interface JsonViewProps {
  /** Path in the merchant API; `null` if the merchant API only returns the object in events. */
  path: string | null
  document: unknown
  /** Id by which the events of this object can be found. */
  events?: string
}

/** The object as JSON from the merchant API, with its path, and a link to its events. */
export function JsonView({ path, document, events }: JsonViewProps) {
  const t = useTexts(KIT_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const text = JSON.stringify(document, null, 2)
  return (
    <div className="json">
      <div className="json-actions">
        <Button variant="default" size="sm" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {t.json}
        </Button>
        {events !== undefined && <EventsLink object={events}>{t.eventsOf}</EventsLink>}
      </div>
      <div id={id} hidden={!isOpen}>
        <p>
          {path === null ? t.jsonOfEvents : t.jsonText} {path !== null && <code>{path}</code>}{' '}
          <Copy text={text} label={t.json} />
        </p>
        <ScrollingText>{text}</ScrollingText>
      </div>
    </div>
  )
}

/** Link to the events of an object. */
export const EventsLink = ({ object, children }: { object: string; children: string }) => (
  <AppLink to={`events?object=${object}`}>{children}</AppLink>
)
