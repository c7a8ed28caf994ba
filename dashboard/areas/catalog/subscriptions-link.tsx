import { plural } from '../../../contract/text.ts'
import { AppLink } from '../../kit/links.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

interface SubscriptionsLinkProps {
  /** `undefined` while it is counted. */
  count: number | undefined
  /** Which they are: `price=…`. */
  filter: string
}

/** How many active subscriptions there are, and the way to them. */
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
