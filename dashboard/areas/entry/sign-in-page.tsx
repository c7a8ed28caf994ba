import { useTexts } from '../../kit/texts.ts'
import { EntryPage } from './entry-page.tsx'
import SignInForm from './sign-in-form.tsx'
import { TEXTS } from './texts/texts.ts'

const HOME = '/dashboard'

/** Returns the page that was opened without a session; only a page of the dashboard. */
function wantedPage(): string {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  if (!URL.canParse(next, location.origin)) return HOME
  const { origin, pathname, search } = new URL(next, location.origin)
  return origin === location.origin && `${pathname}/`.startsWith(`${HOME}/`) ? pathname + search : HOME
}

export default function SignInPage() {
  const t = useTexts(TEXTS)
  return (
    <EntryPage title={t.signIn}>
      <SignInForm onDone={() => location.assign(wantedPage())} />
    </EntryPage>
  )
}
