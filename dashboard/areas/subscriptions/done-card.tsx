import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

/** Actions on the subscription, each with a link to its entry for people who may read everybody's entries. */
export function DoneCard({ of: { view } }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const nameOf = useAuditName()
  const mayOpen = useMay('audit.read')
  if (view.done.length === 0) return null
  return (
    <Card title={t.done}>
      <ul className="plain-list">
        {view.done.map(({ id, action, who, created }) => (
          <li key={id}>
            <div className="grows">
              {mayOpen ? <AppLink to={`audit/${id}`}>{nameOf(action)}</AppLink> : nameOf(action)}
              <div className="dimmed">{who ?? t.operator}</div>
            </div>
            <Instant at={created} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
