import { plural } from '../../../contract/text.ts'
import { AppLink } from '../../kit/links.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

interface SubscriptionsLinkProps {
  /** Number of subscriptions; `undefined` while they are counted. */
  count: number | undefined
  /** Filter of the list that shows them: `price=…`. */
  filter: string
}

/** Number of active subscriptions, with a link to their list. */
export function SubscriptionsLink({ count, filter }: SubscriptionsLinkProps) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  if (count === undefined || count === 0) return count ?? null
  return (
    <AppLink to={`subscriptions?tab=active&${filter}`} aria-label={plural(t.subscriptionsOf, count, locale)}>
      {count}
    </AppLink>
  )
}
