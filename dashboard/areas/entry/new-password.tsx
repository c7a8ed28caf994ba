import { PasswordField, type PasswordFieldProps } from '../../kit/password-field.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** Minimum length, as on the server. */
const LENGTH_MIN = 12

/** A single field: the input can be shown, so it need not be typed twice. */
export function NewPassword(props: PasswordFieldProps) {
  const t = useTexts(TEXTS)
  return (
    <PasswordField
      label={t.newPassword}
      description={t.passwordHint}
      autoComplete="new-password"
      minLength={LENGTH_MIN}
      {...props}
    />
  )
}
