import { PathLink } from '../../kit/links.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

interface BadLinkProps {
  /** Who makes a new one: the operator, whoever invited, or the person's own e-mail address. */
  of: 'set-up' | 'invitation' | 'reset'
}

/** Shown to whoever has no usable link: how to get another. */
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
