import { PathLink } from '../../kit/links.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** Shown to whoever has no usable link. */
export function BadLink() {
  const t = useTexts(TEXTS)
  return (
    <>
      <p role="alert">{t.badLink}</p>
      <p>{t.badLinkText}</p>
      <PathLink to="/dashboard/sign-in">{t.toSignIn}</PathLink>
    </>
  )
}
