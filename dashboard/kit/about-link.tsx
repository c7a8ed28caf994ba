import type { About } from '../../contract/dashboard/about.ts'
import { en } from './about-texts/en.ts'
import { AppLink } from './links.tsx'
import { pageOfObject } from './object-page.ts'
import { defineTexts, useTexts } from './texts.ts'

const ABOUT_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./about-texts/fr-CA.ts'),
  es: () => import('./about-texts/es.ts'),
})

/**
 * Link to the object of a letter or an event, named by its kind. Renders nothing if the object does not have a page.
 */
export function AboutLink({ about }: { about: About | null }) {
  const t = useTexts(ABOUT_TEXTS)
  const page = about && pageOfObject(about.type, about.id)
  return about && page && <AppLink to={page}>{t[about.type]}</AppLink>
}
