import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Copy } from './copy.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
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

/** @param label what the id is of, for screen readers */
export function CopyId({ id, label }: { id: string; label: string }) {
  return (
    <span className="copy-id">
      <code>{id}</code>
      <Copy text={id} label={label} />
    </span>
  )
}

/** What the merchant API returns, with the path that gives it. */
export function JsonView({ path, document }: { path: string; document: unknown }) {
  const t = useTexts(KIT_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const text = JSON.stringify(document, null, 2)
  return (
    <div className="json">
      <Button variant="default" size="sm" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {t.json}
      </Button>
      <div id={id} hidden={!isOpen}>
        <p>
          {t.jsonText} <code>{path}</code> <Copy text={text} label={t.json} />
        </p>
        <ScrollingText>{text}</ScrollingText>
      </div>
    </div>
  )
}
