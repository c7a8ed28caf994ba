import { plural } from '../../contract/text.ts'
import { Icon } from '../kit/icons.tsx'
import { AppLink } from '../kit/links.tsx'
import { useMay } from '../kit/me.ts'
import { useRead } from '../kit/read.ts'
import { useLocale, useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

const EVERY_MS = 60_000

/** How many things need a person, on every page; they are listed at the top of the home page (DSH-25). */
export function AlertsLink() {
  const t = useTexts(FRAME_TEXTS)
  const locale = useLocale()
  const may = useMay('home.read')
  const { data } = useRead('GET /alerts', { enabled: may, every: EVERY_MS, background: true })
  const count = data?.data.length ?? 0
  if (!may || count === 0) return null
  const text = plural(t.alerts, count, locale)
  return (
    <AppLink to="home" className="top-button alerts-link" aria-label={text} title={text}>
      <Icon name="bell" size={20} />
      <span className="alerts-count">{count}</span>
    </AppLink>
  )
}
