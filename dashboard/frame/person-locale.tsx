import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import { localeOf, onLocaleChange, shownLocale } from '../kit/locale.ts'
import { meQuery } from '../kit/me.ts'
import { LocaleProvider, showLocale } from '../kit/texts.ts'

/** Uses the language that the person chose, otherwise the browser's. */
export function PersonLocale({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...meQuery, enabled: false })
  const chosen = data?.user.locale ?? null
  const locale = useSyncExternalStore(onLocaleChange, shownLocale)
  useEffect(() => void showLocale(localeOf(chosen)), [chosen])
  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])
  return (
    <LocaleProvider value={locale}>
      <Suspense>{children}</Suspense>
    </LocaleProvider>
  )
}
