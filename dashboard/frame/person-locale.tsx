import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import { meQuery } from '../kit/me.ts'
import { browserLocale, LOCALES, type Locale, LocaleProvider } from '../kit/texts.ts'

const isLocale = (text: string | null | undefined): text is Locale => LOCALES.some((locale) => locale === text)

/** The language that the person chose, otherwise that of the browser. */
export function PersonLocale({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...meQuery, enabled: false })
  const chosen = data?.user.locale
  const locale = isLocale(chosen) ? chosen : browserLocale()
  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])
  return (
    <LocaleProvider value={locale}>
      <Suspense>{children}</Suspense>
    </LocaleProvider>
  )
}
