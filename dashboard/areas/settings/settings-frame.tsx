import type { ReactNode } from 'react'
import { AppLink } from '../../kit/links.tsx'
import { Page } from '../../kit/page.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'

const PARTS = ['business', 'branding', 'payments', 'billing', 'batches', 'letters', 'limits'] as const
export type SettingsPart = (typeof PARTS)[number]

/** The link of the first part is not active on the pages below its path. */
const EXACT = { activeOptions: { exact: true } }

const pathOf = (part: SettingsPart) => (part === 'business' ? 'settings' : `settings/${part}`)

/** A page of the settings, with links to the others. */
export function SettingsFrame({ part, children }: { part: SettingsPart; children: ReactNode }) {
  const t = useTexts(SETTINGS_TEXTS)
  return (
    <Page title={fill(t.titleOf, { part: t[part] })}>
      <nav aria-label={t.parts} className="parts">
        <ul>
          {PARTS.map((one) => (
            <li key={one}>
              <AppLink {...EXACT} className="part" to={pathOf(one)}>
                {t[one]}
              </AppLink>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  )
}
