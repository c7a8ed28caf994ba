import { PathLink } from '../../kit/links.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

interface BadLinkProps {
  /** Purpose of the link, which decides who creates a new one: the operator, the inviter, or the person by e-mail. */
  of: 'set-up' | 'invitation' | 'reset'
}

/** Explains how to get a new link if the current one is not usable. */
export function BadLink({ of }: BadLinkProps) {
  const t = useTexts(TEXTS)
  return (
    <>
      <p role="alert">{t.badLink}</p>
      {of === 'reset' ? (
        <PathLink to="/dashboard/forgotten">{t.newLink}</PathLink>
      ) : (
        <p>{of === 'invitation' ? t.badLinkInvitation : t.badLinkSetUp}</p>
      )}
      <PathLink to="/dashboard/sign-in">{t.toSignIn}</PathLink>
    </>
  )
}
