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

/** A part of a page, under its own heading. */
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

/** Names and values. An absent value is a dash. */
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
  /** What the id is of, for screen readers. */
  label: string
  /** The page of what has this id; `null` where it has none. */
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
  /** `null`: the merchant API returns it in events alone. */
  path: string | null
  document: unknown
  /** The id by which the events of this object are found. */
  events?: string
}

/** What the merchant API returns, with the path that gives it, and the way to its events. */
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

/** The way to the events of an object. */
export const EventsLink = ({ object, children }: { object: string; children: string }) => (
  <AppLink to={`events?object=${object}`}>{children}</AppLink>
)
